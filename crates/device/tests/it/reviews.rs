//! Agents that change what they declare.

use assent_device::{Decision, DeviceError, PendingReview, ReviewAnswer};
use assent_ids::ScopeId;
use serde_json::{Value, json};

use crate::scene::{Scene, manifest, scopes, summary, until};

/// A manifest in which reading a file needs an encoding.
fn narrowed() -> Value {
    let mut manifest = manifest();
    let schema = json!({
        "type": "object",
        "properties": {
            "path": { "type": "string" },
            "encoding": { "enum": ["utf-8", "latin-1"] },
        },
        "required": ["path", "encoding"],
        "additionalProperties": false,
    });
    *manifest.pointer_mut("/tools/0/input_schema").unwrap() = schema;
    manifest
}

fn answer(review: &PendingReview, granted_scopes: Option<Vec<ScopeId>>) -> ReviewAnswer {
    let view_digest = review.view_digest.to_string();
    ReviewAnswer { granted_scopes, manifest_hash: review.manifest_hash.clone(), view_digest }
}

async fn review(scene: &Scene) -> PendingReview {
    until(async || scene.device().reviews().await.unwrap().pop()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_breaking_change_pauses_its_scope_until_the_person_accepts_it() {
    let scene = Scene::new().await;
    let id = scene.relation_id().await;
    scene.publish(narrowed()).await;
    let shown = review(&scene).await;
    assert_eq!((shown.old_version, shown.new_version), (1, 2));
    assert_eq!(shown.scopes_requiring_reauth, scopes(&["filesystem:read"]));
    let change = &shown.changes[0];
    assert_eq!((&*change.rule, change.breaking), ("input-required-added", true));
    assert!(change.witness.as_ref().unwrap().get("encoding").is_none());
    let old_call = json!({ "path": "notes.md" });
    let paused = scene.call("read_file", old_call.clone()).await;
    assert_eq!(summary(&paused), "denied scope_not_granted reauth_required");
    let locate = scene.call("get_location", json!({}));
    let (located, _) = tokio::join!(locate, scene.answer(Decision::AllowOnce));
    assert_eq!(summary(&located), "ok", "what has not changed goes on");
    // A refusal signs nothing and keeps the scope paused.
    scene.device().answer_review(id, answer(&shown, None)).await.unwrap();
    assert!(review(&scene).await.is_refused);
    let paused = scene.call("read_file", old_call.clone()).await;
    assert_eq!(summary(&paused), "denied scope_not_granted reauth_required");
    let mut wrong = answer(&shown, Some(shown.granted_scopes.clone()));
    wrong.view_digest = "0".repeat(64);
    let refused = scene.device().answer_review(id, wrong).await;
    assert!(matches!(refused, Err(DeviceError::ViewChanged)), "{refused:?}");
    let accepted = answer(&shown, Some(shown.granted_scopes.clone()));
    let relation = scene.device().answer_review(id, accepted).await.unwrap();
    assert_eq!((relation.agreed.version, relation.review), (2, None));
    let call = scene.call("read_file", json!({ "path": "notes.md", "encoding": "utf-8" }));
    let (read, _) = tokio::join!(call, scene.answer(Decision::AllowOnce));
    assert_eq!(summary(&read), "ok");
    let old = scene.call("read_file", old_call).await;
    assert_eq!(summary(&old), "error TOOL_INVALID_ARGUMENTS schema_validation_failed");
    let on_relay = scene.relation_on_relay().await;
    assert_eq!(on_relay.manifest_version, 2);
    assert_eq!(on_relay.scopes_requiring_reauth, []);
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_breaks_nothing_holds_at_once_and_ends_silences() {
    let scene = Scene::new().await;
    let read = || scene.call("read_file", json!({ "path": "notes.md" }));
    let (first, _) = tokio::join!(read(), scene.answer(Decision::Allow24h));
    assert_eq!(summary(&first), "ok");
    let mut wider = manifest();
    let tools = wider["tools"].as_array_mut().unwrap();
    let mut more = tools[1].clone();
    more["name"] = json!("paint_floor");
    tools[1] = more;
    scene.publish(wider).await;
    until(async || scene.relation().await.adopted).await;
    assert_eq!(scene.device().reviews().await.unwrap(), []);
    let added = scene.call("paint_floor", json!({})).await;
    assert_eq!(summary(&added), "error TOOL_UNAVAILABLE capability_gap");
    let gone = scene.call("paint_wall", json!({})).await;
    assert_eq!(summary(&gone), "denied tool_not_declared");
    let (again, _) = tokio::join!(read(), scene.answer(Decision::AllowOnce));
    assert_eq!(summary(&again), "ok");
    assert_eq!(scene.relation().await.agreed.version, 1, "nothing was signed");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_was_published_while_the_device_was_away_is_found() {
    let mut scene = Scene::new().await;
    scene.stop_device().await;
    scene.publish(narrowed()).await;
    scene.start_device().await;
    assert_eq!(review(&scene).await.new_version, 2);
    // Another version takes the place of the one that was reviewed.
    let mut next = narrowed();
    next["tools"][0]["input_schema"]["required"] = json!(["path"]);
    scene.publish(next).await;
    let shown = until(async || Some(review(&scene).await).filter(|it| it.new_version == 3)).await;
    // The relay still says that the person has to agree again.
    assert_eq!(shown.scopes_requiring_reauth, scopes(&["filesystem:read"]));
    assert!(shown.changes.iter().all(|change| !change.breaking), "{:?}", shown.changes);
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_review_waits_scopes_can_be_taken_back_and_none_can_be_added() {
    let scene = Scene::new().await;
    let id = scene.relation_id().await;
    scene.publish(narrowed()).await;
    review(&scene).await;
    let offer = scene.device().look_up_agent(scene.created.agent_id, None).await.unwrap();
    let change = |ids: &[&str]| assent_device::ChangeGrants {
        granted_scopes: scopes(ids),
        manifest_hash: offer.manifest_hash.clone(),
        view_digest: offer.view_digest.to_string(),
    };
    let more = change(&["filesystem:read", "clipboard:read"]);
    let refused = scene.device().change_grants(id, more).await;
    assert!(matches!(refused, Err(DeviceError::ReviewPending)), "{refused:?}");
    let less = change(&["filesystem:read"]);
    let relation = scene.device().change_grants(id, less).await.unwrap();
    assert_eq!((relation.unsent, relation.agreed.version), (None, 1));
    let on_relay = scene.relation_on_relay().await;
    assert_eq!(on_relay.granted_scopes, scopes(&["filesystem:read"]));
    assert_eq!(on_relay.scopes_requiring_reauth, scopes(&["filesystem:read"]));
    let read = scene.call("read_file", json!({ "path": "notes.md" })).await;
    assert_eq!(summary(&read), "denied scope_not_granted reauth_required");
    let locate = scene.call("get_location", json!({})).await;
    assert_eq!(summary(&locate), "denied permission_revoked");
    scene.end().await;
}
