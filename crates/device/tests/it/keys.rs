//! The keys of agents.

use assent_agent::ToolRequest;
use assent_device::{Decision, DeviceError};
use serde_json::json;

use crate::scene::{Scene, summary, until};

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_with_other_keys_is_paused_until_its_number_is_accepted() {
    let mut scene = Scene::new().await;
    let agent_id = scene.created.agent_id;
    let before = scene.device().agent_keys(agent_id).await.unwrap();
    assert!(!before.has_changed && !before.is_verified);
    drop(scene.agent.take());
    scene.start_agent_in("new-agent").await;
    let changed = until(async || {
        let keys = scene.device().agent_keys(agent_id).await.unwrap();
        keys.new_safety_number.is_some().then_some(keys)
    })
    .await;
    assert!(changed.has_changed);
    assert_eq!(changed.safety_number, before.safety_number, "the pinned keys are the same");
    let new_number = changed.new_safety_number.unwrap();
    assert_ne!(new_number, before.safety_number);
    let request = ToolRequest::new("get_location", json!({}));
    let call = scene.agent().start_call(scene.conversation, request).await.unwrap();
    let old = before.safety_number.digits();
    let refused = scene.device().accept_keys(agent_id, old).await;
    assert!(matches!(refused, Err(DeviceError::WrongNumber)), "{refused:?}");
    assert!(scene.device().prompts().is_empty());
    let accepted = scene.device().accept_keys(agent_id, &new_number.to_string()).await.unwrap();
    assert!(accepted.is_verified && !accepted.has_changed);
    assert_eq!((accepted.safety_number, accepted.new_safety_number), (new_number, None));
    // The agent repeats what has no answer.
    let (located, _) = tokio::join!(call, scene.answer(Decision::AllowOnce));
    assert_eq!(summary(&located), "ok");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_was_compared_verifies_the_keys_and_changes_nothing_else() {
    let scene = Scene::new().await;
    let agent_id = scene.created.agent_id;
    let keys = scene.device().agent_keys(agent_id).await.unwrap();
    let number = keys.safety_number.to_string();
    let accepted = scene.device().accept_keys(agent_id, &number).await.unwrap();
    assert!(accepted.is_verified);
    let call = scene.call("get_location", json!({}));
    let (located, _) = tokio::join!(call, scene.answer(Decision::AllowOnce));
    assert_eq!(summary(&located), "ok");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_of_an_agent_whose_keys_change_are_closed() {
    let mut scene = Scene::new().await;
    let request = ToolRequest::new("get_location", json!({}));
    let call = scene.agent().start_call(scene.conversation, request).await.unwrap();
    scene.prompt().await;
    drop((call, scene.agent.take()));
    scene.start_agent_in("new-agent").await;
    until(async || scene.device().prompts().is_empty().then_some(())).await;
    scene.end().await;
}
