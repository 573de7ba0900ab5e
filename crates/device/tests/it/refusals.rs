//! What follows from refusals: shared answers, always deny, embargoes.

use std::time::Duration;

use assent_agent::ToolRequest;
use assent_device::{Decision, Interface, Timings, ToolStanding};
use assent_ids::{AgentId, Clock as _, SystemClock};
use serde_json::{Value, json};

use crate::scene::{Scene, summary};

fn notes() -> Value {
    json!({ "path": "notes.md" })
}

async fn standing(scene: &Scene, agent: AgentId) -> ToolStanding {
    scene.device().tool_standings(agent).await.unwrap().remove(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_calls_share_one_prompt_and_a_no() {
    let scene = Scene::new().await;
    let request = || ToolRequest::new("read_file", notes());
    let mut events = scene.device().events();
    // More calls than there is room for prompts.
    let mut calls = Vec::new();
    for _ in 0..5 {
        let call = scene.agent().start_call(scene.conversation, request()).await.unwrap();
        calls.push(call);
    }
    for _ in 0..5 {
        while events.recv().await.unwrap().name() != "call.updated" {}
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(scene.device().prompts().len(), 1);
    scene.answer(Decision::Deny).await;
    for call in calls {
        assert_eq!(summary(&call.await), "denied user_refused");
    }
    // One prompt was refused, not five.
    let call = scene.call_and_decide("read_file", notes(), Decision::AllowOnce).await;
    assert_eq!(summary(&call), "ok");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_calls_do_not_share_a_yes_and_can_be_withdrawn_while_they_wait() {
    let scene = Scene::new().await;
    let request = || ToolRequest::new("read_file", notes());
    let start = || scene.agent().start_call(scene.conversation, request());
    let first = start().await.unwrap();
    let prompt = scene.prompt().await;
    let (second, third) = (start().await.unwrap(), start().await.unwrap());
    tokio::time::sleep(Duration::from_millis(500)).await;
    third.cancel().await.unwrap();
    assert_eq!(summary(&third.await), "error TOOL_PLATFORM_ERROR canceled");
    scene.answer(Decision::AllowOnce).await;
    assert_eq!(summary(&first.await), "ok");
    let other = scene.answer(Decision::AllowOnce).await;
    assert_ne!(other.prompt_id, prompt.prompt_id);
    assert_eq!(summary(&second.await), "ok");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_is_always_denied_is_not_asked_about_until_the_person_lifts_it() {
    let mut scene = Scene::new().await;
    let request = |path: &str| ToolRequest::new("read_file", json!({ "path": path }));
    let other = scene.agent().start_call(scene.conversation, request("other.md")).await.unwrap();
    let agent_id = scene.prompt().await.agent.agent_id;
    let call = scene.agent().start_call(scene.conversation, request("notes.md")).await.unwrap();
    while scene.device().prompts().len() < 2 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // The answer closes the other prompt about the tool as well.
    scene.answer(Decision::AlwaysDeny).await;
    assert_eq!(summary(&call.await), "denied user_refused");
    assert_eq!(summary(&other.await), "denied user_refused");
    assert!(scene.device().prompts().is_empty());
    scene.stop_device().await;
    scene.start_device().await;
    let call = scene.call("read_file", json!({ "path": "todo.md" })).await;
    assert_eq!(summary(&call), "denied user_refused");
    assert!(standing(&scene, agent_id).await.always_denied);
    // Other tools are not affected.
    let call = scene.call_and_decide("get_location", json!({}), Decision::AllowOnce).await;
    assert_eq!(summary(&call), "ok");
    scene.device().ask_again(agent_id, "read_file").await.unwrap();
    let call = scene.call_and_decide("read_file", notes(), Decision::AllowOnce).await;
    assert_eq!(summary(&call), "ok");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_three_noes_in_a_row_an_agent_must_not_ask_for_a_week() {
    let scene = Scene::new().await;
    let decide =
        async |decision| summary(&scene.call_and_decide("read_file", notes(), decision).await);
    for decision in [Decision::Deny, Decision::Deny, Decision::AllowOnce, Decision::Deny] {
        let expected = if decision.allows() { "ok" } else { "denied user_refused" };
        assert_eq!(decide(decision).await, expected);
    }
    assert_eq!(decide(Decision::Deny).await, "denied user_refused");
    // The third no in a row.
    let (call, prompt) =
        tokio::join!(scene.call("read_file", notes()), scene.answer(Decision::Deny));
    assert_eq!(summary(&call), "denied user_refused");
    let agent_id = prompt.agent.agent_id;
    let call = scene.call("read_file", json!({ "path": "other.md" })).await;
    assert_eq!(summary(&call), "denied user_refused");
    assert!(scene.device().prompts().is_empty());
    let until = standing(&scene, agent_id).await.embargoed_until.unwrap();
    let left = until.since(SystemClock.now());
    assert!(left > Duration::from_hours(167) && left <= Duration::from_hours(168));
    scene.device().ask_again(agent_id, "read_file").await.unwrap();
    assert_eq!(decide(Decision::AllowOnce).await, "ok");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn four_prompts_without_an_answer_count_only_if_a_person_could_answer() {
    let timings = Timings { medium: Duration::from_millis(400), ..Timings::default() };
    let scene = Scene::with_timings(timings).await;
    let ignore = async || summary(&scene.call("read_file", notes()).await);
    for _ in 0..4 {
        assert_eq!(ignore().await, "denied user_timeout");
    }
    let _terminal = scene.device().attach(Interface::Terminal);
    for _ in 0..4 {
        assert_eq!(ignore().await, "denied user_timeout");
    }
    assert_eq!(ignore().await, "denied user_refused");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn asking_again_ends_a_silence() {
    let scene = Scene::new().await;
    let (call, prompt) =
        tokio::join!(scene.call("read_file", notes()), scene.answer(Decision::Allow24h));
    assert_eq!(summary(&call), "ok");
    let agent_id = prompt.agent.agent_id;
    let now = SystemClock.now();
    let silent = standing(&scene, agent_id).await;
    let hours = |until: Option<assent_ids::UnixMillis>| until.unwrap().since(now).as_secs() / 3600;
    assert!(matches!(
        (hours(silent.silent_until), hours(silent.silent_at_most)),
        (23 | 24, 167 | 168)
    ));
    assert_eq!(summary(&scene.call("read_file", notes()).await), "ok");
    scene.device().ask_again(agent_id, "read_file").await.unwrap();
    let call = scene.call_and_decide("read_file", notes(), Decision::Deny).await;
    assert_eq!(summary(&call), "denied user_refused");
    scene.end().await;
}
