//! Prompts: what they show, when an answer counts, and how they end.

use std::time::Duration;

use assent_agent::{CallUpdate, PendingCall, ToolRequest};
use assent_device::{Decision, DeviceEvent, Interface, PromptAnswer, PromptError, Timings};
use assent_ids::{Clock as _, SystemClock};
use serde_json::{Value, json};

use crate::scene::{Scene, summary};

async fn start(scene: &Scene, tool: &str, arguments: Value) -> PendingCall {
    let request = ToolRequest::new(tool, arguments).reason("it was asked for");
    scene.agent().start_call(scene.conversation, request).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_shows_everything_that_a_person_needs() {
    let scene = Scene::new().await;
    let call = start(&scene, "read_file", json!({ "path": "notes.md" })).await;
    let prompt = scene.prompt().await;
    let shown = serde_json::to_value(&prompt).unwrap();
    let root = scene.root.canonicalize().unwrap();
    let expected = json!({
        "prompt_id": prompt.prompt_id,
        "invocation_id": prompt.invocation_id,
        "call_id": call.id(),
        "agent": { "agent_id": prompt.agent.agent_id, "name": "helper", "verified": false },
        "tool": { "name": "read_file", "description": "", "served_by": "read_file" },
        "scope": {
            "id": "filesystem:read",
            "label": "Read local files",
            "sensitivity": "medium",
        },
        "conversation_id": scene.conversation,
        "target": { "kind": "file", "text": root.join("notes.md") },
        "view": {
            "lines": [
                { "path": "", "text": format!("{}/read_file", prompt.agent.agent_id) },
                { "path": "/path", "text": "\"notes.md\"" },
            ],
            "digest": prompt.view.digest.to_string(),
            "shortened": false,
        },
        "agent_reason": "it was asked for",
        "opened_at": shown["opened_at"],
        "answerable_at": shown["answerable_at"],
        "not_after": shown["not_after"],
        "choices": ["allow_once", "allow_24h", "deny", "always_deny"],
        "silence": { "seconds": 86_400, "place": root },
    });
    assert_eq!(shown, expected);
    assert_eq!(prompt.not_after.since(prompt.opened_at), Timings::default().medium);
    assert!(shown["opened_at"].as_str().unwrap().ends_with('Z'));
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_counts_only_for_what_was_shown_and_not_too_early() {
    let scene = Scene::new().await;
    let call = start(&scene, "read_file", json!({ "path": "n".repeat(300) })).await;
    let prompt = scene.prompt().await;
    let answer = async |decision, view_digest: &str, has_shown_all| {
        let view_digest = view_digest.to_owned();
        let answer = PromptAnswer { decision, view_digest, has_shown_all };
        scene.device().answer_prompt(prompt.prompt_id, answer, Interface::Console).await
    };
    let digest = prompt.view.digest.to_string();
    let other = "0".repeat(digest.len());
    assert!(prompt.view.shortened);
    assert_eq!(answer(Decision::AllowOnce, &other, false).await, Err(PromptError::ViewChanged));
    assert_eq!(answer(Decision::AllowOnce, &digest, false).await, Err(PromptError::TooEarly));
    tokio::time::sleep(prompt.answerable_at.since(SystemClock.now())).await;
    assert_eq!(answer(Decision::AllowOnce, &digest, false).await, Err(PromptError::NotShown));
    assert_eq!(answer(Decision::Deny, &digest, false).await, Ok(()));
    assert_eq!(answer(Decision::Deny, &digest, false).await, Err(PromptError::AlreadyResolved));
    assert_eq!(summary(&call.await), "denied user_refused");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_of_a_sensitive_prompt_begins_when_it_is_on_screen() {
    let scene = Scene::new().await;
    let console = scene.device().attach(Interface::Console);
    let _call = start(&scene, "get_location", json!({})).await;
    let prompt = scene.prompt().await;
    assert_eq!(prompt.not_after.since(prompt.opened_at), Duration::from_mins(5));
    let before = SystemClock.now();
    let first = scene.device().prompt_shown(prompt.prompt_id).await.unwrap();
    assert!(first >= before.after(Timings::default().high));
    assert!(first <= SystemClock.now().after(Timings::default().high));
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert_eq!(scene.device().prompt_shown(prompt.prompt_id).await, Ok(first));
    assert_eq!(scene.device().prompts()[0].not_after, first);
    drop(console);
    scene.decide(&prompt, Decision::Deny).await.unwrap();
    let over = scene.device().prompt_shown(prompt.prompt_id).await;
    assert_eq!(over, Err(PromptError::AlreadyResolved));
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_screen_the_time_of_a_sensitive_prompt_begins_at_once() {
    let scene = Scene::new().await;
    let call = start(&scene, "get_location", json!({})).await;
    let prompt = scene.prompt().await;
    // The manifest says that it is of low sensitivity; the preset says more.
    assert_eq!(prompt.scope.sensitivity.as_str(), "high");
    assert_eq!(prompt.not_after.since(prompt.opened_at), Timings::default().high);
    scene.answer(Decision::AllowOnce).await;
    assert_eq!(call.await.unwrap()["source"], "settings");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_can_take_more_time_once_and_the_agent_hears_of_it() {
    let scene = Scene::new().await;
    let call = start(&scene, "get_location", json!({})).await;
    let prompt = scene.prompt().await;
    let hold = scene.device().hold_prompt(prompt.prompt_id);
    let mut updates = call.updates();
    let (update, not_after) = tokio::join!(updates.next(), hold);
    assert!(matches!(update, Some(CallUpdate::Pending { .. })), "{update:?}");
    let not_after = not_after.unwrap();
    assert!(not_after.since(SystemClock.now()) > Duration::from_secs(595));
    let again = scene.device().hold_prompt(prompt.prompt_id).await;
    assert_eq!(again, Err(PromptError::AlreadyHeld));
    // The page may say later that the prompt is on screen; that does not take the time away.
    assert_eq!(scene.device().prompt_shown(prompt.prompt_id).await, Ok(not_after));
    scene.answer(Decision::AllowOnce).await;
    assert_eq!(summary(&call.await), "ok");
    let call = start(&scene, "read_file", json!({ "path": "notes.md" })).await;
    let medium = scene.prompt().await;
    let held = scene.device().hold_prompt(medium.prompt_id).await;
    assert_eq!(held, Err(PromptError::AlreadyHeld));
    drop(call);
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn subscribers_hear_how_prompts_change_and_end() {
    let timings = Timings { medium: Duration::from_secs(2), ..Timings::default() };
    let scene = Scene::with_timings(timings).await;
    let mut events = scene.device().events();
    let denied = start(&scene, "get_location", json!({})).await;
    let first = scene.prompt().await.prompt_id;
    scene.device().prompt_shown(first).await.unwrap();
    scene.answer(Decision::Deny).await;
    assert_eq!(summary(&denied.await), "denied user_refused");
    let timed_out = start(&scene, "read_file", json!({ "path": "notes.md" })).await;
    assert_eq!(summary(&timed_out.await), "denied user_timeout");
    let withdrawn = start(&scene, "read_file", json!({ "path": "todo.md" })).await;
    scene.prompt().await;
    withdrawn.cancel().await.unwrap();
    assert_eq!(summary(&withdrawn.await), "error TOOL_PLATFORM_ERROR canceled");
    let mut names = Vec::new();
    while let Ok(event) = events.try_recv() {
        match &event {
            DeviceEvent::PromptClosed { outcome, .. } => {
                names.push(serde_json::to_value(outcome).unwrap().as_str().unwrap().to_owned());
            }
            event if event.name().starts_with("prompt") => names.push(event.name().to_owned()),
            _ => {}
        }
    }
    let expected = [
        "prompt.opened",
        "prompt.updated",
        "denied",
        "prompt.opened",
        "timed_out",
        "prompt.opened",
        "withdrawn",
    ];
    assert_eq!(names, expected);
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unattended_device_refuses_what_a_person_would_have_to_allow() {
    let mut scene = Scene::new().await;
    scene.stop_device().await;
    scene.unattended = true;
    scene.start_device().await;
    let call = scene.call("read_file", json!({ "path": "notes.md" })).await;
    assert_eq!(summary(&call), "denied user_timeout");
    let _console = scene.device().attach(Interface::Console);
    let call = scene.call("send_notification", json!({ "title": "Tea is ready" })).await;
    assert_eq!(summary(&call), "ok");
    scene.end().await;
}
