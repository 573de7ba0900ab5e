//! Calls that a person has allowed for a while.

use std::{fs, time::Duration};

use assent_agent::ToolRequest;
use assent_device::{Decision, PromptError, Timings};
use assent_ids::{Clock as _, SystemClock};
use serde_json::json;

use crate::scene::{Scene, summary};

#[tokio::test(flavor = "multi_thread")]
async fn calls_in_the_same_folder_need_no_question_after_a_yes_for_24_hours() {
    let scene = Scene::new().await;
    fs::write(scene.root.join("todo.md"), "second").unwrap();
    let call = scene.call("read_file", json!({ "path": "notes.md" }));
    let (first, _) = tokio::join!(call, scene.answer(Decision::Allow24h));
    assert_eq!(summary(&first), "ok");
    let second = scene.call("read_file", json!({ "path": "todo.md" })).await;
    assert_eq!(second.unwrap()["content"], "second");
    // Outside of the folder nothing is allowed, and other tools are asked about.
    let outside = scene.call("read_file", json!({ "path": "/etc/passwd" })).await;
    assert_eq!(summary(&outside), "error TOOL_PLATFORM_ERROR sandbox_violation");
    let call = scene.call("get_location", json!({}));
    let (location, _) = tokio::join!(call, scene.answer(Decision::Deny));
    assert_eq!(summary(&location), "denied user_refused");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_comes_again_when_the_time_is_over() {
    let timings = Timings {
        silence: Duration::from_secs(1),
        silence_max: Duration::from_secs(60),
        ..Timings::default()
    };
    let scene = Scene::with_timings(timings).await;
    let call = || scene.call("read_file", json!({ "path": "notes.md" }));
    let (first, _) = tokio::join!(call(), scene.answer(Decision::Allow24h));
    assert_eq!(summary(&first), "ok");
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let (second, _) = tokio::join!(call(), scene.answer(Decision::Deny));
    assert_eq!(summary(&second), "denied user_refused");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_of_high_sensitivity_can_be_allowed_once_only() {
    let scene = Scene::new().await;
    let request = ToolRequest::new("get_location", json!({}));
    let call = scene.agent().start_call(scene.conversation, request).await.unwrap();
    let prompt = scene.prompt().await;
    tokio::time::sleep(prompt.answerable_at.since(SystemClock.now())).await;
    let answer = scene.decide(&prompt, Decision::Allow24h).await;
    assert_eq!(answer, Err(PromptError::NotOffered));
    scene.answer(Decision::AllowOnce).await;
    assert_eq!(summary(&call.await), "ok");
    scene.end().await;
}
