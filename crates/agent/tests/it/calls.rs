//! Calls of tools.

use std::time::{Duration, Instant};

use assent_agent::{AgentError, CallError, CallUpdate, ToolRequest};
use assent_device::Decision;
use serde::{Deserialize, Serialize};
use serde_json::{Map, json};

use crate::scene::Scene;

#[derive(Serialize)]
struct Path {
    path: &'static str,
}

#[derive(Debug, Deserialize)]
struct Content {
    content: String,
}

#[derive(Debug, Deserialize)]
struct Lines {
    #[expect(dead_code, reason = "no result has it")]
    lines: Vec<String>,
}

fn notification(title: &str) -> ToolRequest {
    ToolRequest::new("send_notification", json!({ "title": title }))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_can_have_types() {
    let scene = Scene::new().await;
    let agent = scene.connect().await;
    let read = agent.tool::<Path, Content>("read_file");
    let call = read.call(scene.conversation, &Path { path: "notes.md" });
    let (content, ()) = tokio::join!(call, scene.answer(Decision::AllowOnce));
    assert_eq!(content.unwrap().content, "marker-in-the-file");
    let lines = agent.tool::<Path, Lines>("read_file");
    let call = lines.call(scene.conversation, &Path { path: "notes.md" });
    let (lines, ()) = tokio::join!(call, scene.answer(Decision::AllowOnce));
    let error = lines.unwrap_err();
    assert!(matches!(&error, CallError::UnexpectedResult(tool) if tool == "read_file"));
    assert!(!error.to_string().contains("marker"), "{error}");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn suspending_a_relation_ends_its_open_calls() {
    let scene = Scene::new().await;
    let agent = scene.connect().await;
    let request = ToolRequest::new("read_file", json!({ "path": "notes.md" }));
    let call = agent.start_call(scene.conversation, request.clone()).await.unwrap();
    scene.prompt().await;
    scene.suspend(&agent).await;
    assert!(matches!(call.await, Err(CallError::RelationInactive)));
    let next = agent.call_tool(scene.conversation, request).await;
    assert!(matches!(next, Err(CallError::RelationInactive)), "{next:?}");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn revoking_a_relation_ends_its_open_calls() {
    let scene = Scene::new().await;
    let agent = scene.connect().await;
    let request = ToolRequest::new("read_file", json!({ "path": "notes.md" }));
    let call = agent.start_call(scene.conversation, request.clone()).await.unwrap();
    scene.prompt().await;
    let relation = agent.relations().await.unwrap()[0].relation_id;
    scene.device.revoke(relation).await.unwrap();
    let error = call.await.unwrap_err();
    assert_eq!(error.to_string(), "the call was denied: permission_revoked");
    while agent.relations().await.unwrap()[0].is_active {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let next = agent.call_tool(scene.conversation, request).await;
    assert!(matches!(next, Err(CallError::RelationInactive)), "{next:?}");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_takes_more_time_extends_the_total_timeout() {
    let scene = Scene::new().await;
    let agent = scene.connect().await;
    let request = ToolRequest::new("read_file", json!({ "path": "notes.md" }))
        .total_timeout(Duration::from_secs(4));
    let began = Instant::now();
    let call = agent.start_call(scene.conversation, request).await.unwrap();
    let mut updates = call.updates();
    let prompt = scene.prompt().await;
    let not_after = scene.device.hold_prompt(prompt.prompt_id).await.unwrap();
    let Some(CallUpdate::Pending { until }) = updates.next().await else {
        panic!("the call has ended");
    };
    let until = until.instant().unwrap().as_millisecond();
    assert_eq!(u64::try_from(until).unwrap(), not_after.get());
    tokio::time::sleep(Duration::from_secs(5).saturating_sub(began.elapsed())).await;
    scene.answer(Decision::Deny).await;
    let error = call.await.unwrap_err();
    assert_eq!(error.to_string(), "the call was denied: user_refused");
    assert_eq!(updates.next().await, None);
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_agent_and_the_person_see_the_same_safety_number() {
    let scene = Scene::new().await;
    let agent = scene.connect().await;
    let person = agent.relations().await.unwrap()[0].user_id;
    let number = agent.safety_number(person).await.unwrap();
    let keys = scene.device.agent_keys(agent.id()).await.unwrap();
    assert_eq!(number, keys.safety_number);
    assert_eq!(agent.link().await.unwrap().fingerprint, Some(keys.fingerprint));
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_beyond_the_rate_limit_wait_or_end_with_their_total_timeout() {
    let mut scene = Scene::new().await;
    let agent = scene.connect().await;
    // The relay takes five messages of an agent per second. The sixth waits.
    let patient = (0..7).map(|number| notification(&format!("number {number}")));
    let results = agent.call_all(scene.conversation, patient).await;
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    let mut titles = Vec::new();
    for _ in 0..7 {
        titles.push(scene.notification().await);
    }
    titles.sort();
    let expected: Vec<_> = (0..7).map(|number| format!("helper: number {number}")).collect();
    assert_eq!(titles, expected);

    tokio::time::sleep(Duration::from_secs(1)).await;
    let hasty = (0..12).map(|_| {
        ToolRequest::new("read_clipboard", json!({})).total_timeout(Duration::from_millis(500))
    });
    let results = agent.call_all(scene.conversation, hasty).await;
    let is_limited = |result: &&Result<_, CallError>| matches!(result, Err(CallError::RateLimited));
    assert!(results.iter().filter(is_limited).count() >= 1, "{results:?}");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_withdrawn_before_it_is_sent_never_leaves() {
    let scene = Scene::new().await;
    let agent = scene.connect().await;
    // Eight texts use up what the relay takes in a second, so that the call waits behind them.
    for number in 0..8 {
        agent.send(scene.conversation, format!("text {number}").as_str()).await.unwrap();
    }
    let request = ToolRequest::new("read_file", json!({ "path": "notes.md" }));
    let call = agent.start_call(scene.conversation, request).await.unwrap();
    call.cancel().await.unwrap();
    let canceled = call.await.unwrap_err();
    assert_eq!(canceled.to_string(), "the call failed: TOOL_PLATFORM_ERROR, canceled");
    assert!(agent.pending_calls().await.unwrap().is_empty());
    agent.close().await;
    assert!(scene.device.prompts().is_empty());
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_an_agent_sends_what_waits_and_leaves_open_calls_for_the_next_start() {
    let scene = Scene::new().await;
    let agent = scene.connect().await;
    let request = ToolRequest::new("read_file", json!({ "path": "notes.md" }));
    let call = agent.start_call(scene.conversation, request).await.unwrap();
    let clone = agent.clone();
    clone.close().await;
    assert!(matches!(call.await, Err(CallError::Closed)));
    drop(agent);
    scene.answer(Decision::AllowOnce).await;
    let agent = scene.connect().await;
    let pending = agent.pending_calls().await.unwrap().pop().unwrap();
    assert_eq!(pending.await.unwrap()["content"], "marker-in-the-file");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_id_belongs_to_one_call() {
    let scene = Scene::new().await;
    let agent = scene.connect().await;
    let request = |path: &str| {
        let request = ToolRequest::new("read_file", json!({ "path": path }));
        request.call_id("call-1".parse().unwrap())
    };
    let first = agent.start_call(scene.conversation, request("notes.md")).await.unwrap();
    let other = agent.start_call(scene.conversation, request("todo.md")).await.unwrap_err();
    assert!(matches!(other, CallError::Agent(AgentError::CallIdReused(_))), "{other:?}");
    let same = agent.start_call(scene.conversation, request("notes.md")).await.unwrap();
    scene.answer(Decision::Deny).await;
    for call in [first, same] {
        assert!(matches!(call.await, Err(CallError::Denied { .. })));
    }
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_is_stored_is_with_the_relay() {
    let scene = Scene::new().await;
    let agent = scene.connect().await;
    let began = Instant::now();
    for number in 0..7 {
        let sent = agent.send(scene.conversation, format!("text {number}").as_str()).await;
        sent.unwrap().stored().await.unwrap();
    }
    // The relay asked to wait, and no message was lost.
    assert!(began.elapsed() >= Duration::from_millis(500), "{:?}", began.elapsed());
    let too_large = "x".repeat(1024 * 1024);
    let error = agent.send(scene.conversation, too_large.as_str()).await.unwrap_err();
    assert!(matches!(error, AgentError::Content(_)), "{error:?}");
    let error = agent.publish(Map::new()).await.unwrap_err();
    assert!(matches!(error, AgentError::NoManifestToken), "{error:?}");
    scene.end().await;
}
