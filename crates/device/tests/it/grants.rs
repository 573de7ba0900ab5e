//! Changing what is granted, and taking it back.

use assent_agent::ToolRequest;
use assent_device::{ChangeGrants, Decision, DeviceError, RelationStanding};
use assent_ids::ScopeId;
use assent_relay_api::{ledger::LedgerAction, model::RelationState};
use serde_json::json;

use crate::scene::{Scene, scopes, summary, until};

/// A change to these scopes, as the person sees the agent now.
async fn change_to(scene: &Scene, granted_scopes: Vec<ScopeId>) -> ChangeGrants {
    let offer = scene.device().look_up_agent(scene.created.agent_id, None).await.unwrap();
    let view_digest = offer.view_digest.to_string();
    ChangeGrants { granted_scopes, manifest_hash: offer.manifest_hash, view_digest }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scope_that_is_taken_back_ends_its_open_calls_and_no_others() {
    let scene = Scene::new().await;
    let id = scene.relation_id().await;
    let read = ToolRequest::new("read_file", json!({ "path": "notes.md" }));
    let call = scene.agent().start_call(scene.conversation, read).await.unwrap();
    let prompt = scene.prompt().await;
    let change = change_to(&scene, scopes(&["location:read", "notification:send"])).await;
    scene.device().change_grants(id, change).await.unwrap();
    assert_eq!(summary(&call.await), "denied permission_revoked");
    assert!(scene.device().prompts().is_empty(), "the prompt {prompt:?} is still open");
    let read = scene.call("read_file", json!({ "path": "notes.md" })).await;
    assert_eq!(summary(&read), "denied permission_revoked");
    let never_granted = scene.call("read_clipboard", json!({})).await;
    assert_eq!(summary(&never_granted), "denied scope_not_granted");
    let locate = scene.call("get_location", json!({}));
    let (located, _) = tokio::join!(locate, scene.answer(Decision::AllowOnce));
    assert_eq!(summary(&located), "ok");
    let granted = scopes(&["location:read", "notification:send"]);
    assert_eq!(scene.relation_on_relay().await.granted_scopes, granted);
    let ledger = scene.relation().await.ledger;
    let actions: Vec<LedgerAction> = ledger.iter().map(|signed| signed.entry.action).collect();
    assert_eq!(actions, [LedgerAction::Grant, LedgerAction::Update]);
    // Granting it again makes it usable again.
    let all = scopes(&["filesystem:read", "location:read", "notification:send"]);
    scene.device().change_grants(id, change_to(&scene, all).await).await.unwrap();
    let call = scene.call("read_file", json!({ "path": "notes.md" }));
    let (read, _) = tokio::join!(call, scene.answer(Decision::AllowOnce));
    assert_eq!(summary(&read), "ok");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn granting_more_takes_the_view_that_the_person_saw() {
    let scene = Scene::new().await;
    let id = scene.relation_id().await;
    let more = scopes(&["filesystem:read", "clipboard:read"]);
    let good = change_to(&scene, more.clone()).await;
    let mut wrong = good.clone();
    wrong.view_digest = "0".repeat(64);
    let refused = scene.device().change_grants(id, wrong).await;
    assert!(matches!(refused, Err(DeviceError::ViewChanged)), "{refused:?}");
    let mut wrong = good.clone();
    wrong.manifest_hash = "0".repeat(64).parse().unwrap();
    let refused = scene.device().change_grants(id, wrong).await;
    assert!(matches!(refused, Err(DeviceError::ManifestChanged)), "{refused:?}");
    assert_eq!(scene.relation().await.granted_scopes.len(), 3, "a refusal changes nothing");
    let relation = scene.device().change_grants(id, good).await.unwrap();
    assert_eq!((relation.granted_scopes, relation.unsent), (more, None));
    // The scope is granted now; this device has no clipboard.
    let call = scene.call("read_clipboard", json!({})).await;
    assert_eq!(summary(&call), "error TOOL_UNAVAILABLE capability_gap");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relation_that_is_ended_answers_what_is_open_and_can_begin_again() {
    let scene = Scene::new().await;
    let id = scene.relation_id().await;
    let read = ToolRequest::new("read_file", json!({ "path": "notes.md" }));
    let call = scene.agent().start_call(scene.conversation, read).await.unwrap();
    scene.prompt().await;
    let relation = scene.device().revoke(id).await.unwrap();
    assert_eq!((relation.state, relation.unsent), (RelationStanding::Revoked, None));
    assert_eq!(summary(&call.await), "denied permission_revoked");
    assert!(scene.device().prompts().is_empty());
    let on_relay = scene.relation_on_relay().await;
    assert_eq!(on_relay.state.known(), Some(RelationState::Revoked));
    let change = change_to(&scene, scopes(&["filesystem:read"])).await;
    let refused = scene.device().change_grants(id, change).await;
    assert!(matches!(refused, Err(DeviceError::RelationEnded)), "{refused:?}");
    let is_active = async |wanted: bool| {
        let relations = scene.agent().relations().await.unwrap();
        relations.iter().any(|relation| relation.is_active == wanted).then_some(())
    };
    until(async || is_active(false).await).await;
    // Adding the agent again goes on in the same conversation and the same chain.
    let offer = scene.device().look_up_agent(scene.created.agent_id, None).await.unwrap();
    let added = scene.device().add_agent(offer.grant(scopes(&["filesystem:read"]))).await.unwrap();
    assert_eq!((added.relation_id, added.conversation_id), (id, scene.conversation));
    assert_eq!(scene.relation().await.ledger.len(), 3);
    until(async || is_active(true).await).await;
    let call = scene.call("read_file", json!({ "path": "notes.md" }));
    let (read, _) = tokio::join!(call, scene.answer(Decision::AllowOnce));
    assert_eq!(summary(&read), "ok");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_taken_back_without_a_connection_holds_at_once_and_is_sent_after_a_restart() {
    let mut scene = Scene::new().await;
    let id = scene.relation_id().await;
    let change = change_to(&scene, scopes(&["location:read"])).await;
    scene.stop_relay().await;
    let relation = scene.device().change_grants(id, change).await.unwrap();
    assert_eq!(relation.granted_scopes, scopes(&["location:read"]));
    assert!(relation.unsent.is_some(), "the signed entry is stored");
    scene.stop_device().await;
    scene.start_device().await;
    scene.start_relay().await;
    until(async || scene.relation().await.unsent.is_none().then_some(())).await;
    let granted = scene.relation_on_relay().await.granted_scopes;
    assert_eq!(granted, scopes(&["location:read"]));
    let read = scene.call("read_file", json!({ "path": "notes.md" })).await;
    assert_eq!(summary(&read), "denied permission_revoked");
    scene.end().await;
}
