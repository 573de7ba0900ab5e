//! What comes of calls.

use std::time::Duration;

use assent_agent::{CallError, ToolRequest};
use assent_device::{Decision, DeviceEvent, Interface, Timings};
use assent_ids::CallId;
use serde_json::json;

use crate::scene::{Scene, summary};

#[tokio::test(flavor = "multi_thread")]
async fn an_allowed_call_gives_the_content_and_no_database_shows_it() {
    let scene = Scene::new().await;
    let call = scene.call("read_file", json!({ "path": "notes.md" }));
    let (result, prompt) = tokio::join!(call, scene.answer(Decision::AllowOnce));
    assert_eq!(result.unwrap()["content"], "marker-in-the-file");
    assert_eq!(prompt.tool.name, "read_file");
    assert!(prompt.view.lines.iter().any(|line| line.text.contains("notes.md")));
    assert!(scene.contains("relay", "owner@example.org"), "the search sees what is there");
    for marker in ["marker-in-the-file", "notes.md"] {
        for folder in ["relay", "device", "agent"] {
            assert!(!scene.contains(folder, marker), "`{marker}` is in plain text in `{folder}`");
        }
    }
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_can_refuse_a_call_or_let_its_time_run_out() {
    let timings = Timings { medium: Duration::from_secs(2), ..Timings::default() };
    let scene = Scene::with_timings(timings).await;
    let call = || scene.call("read_file", json!({ "path": "notes.md" }));
    let (result, _) = tokio::join!(call(), scene.answer(Decision::Deny));
    assert_eq!(summary(&result), "denied user_refused");
    assert_eq!(summary(&call().await), "denied user_timeout");
    assert!(scene.device().prompts().is_empty());
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_cannot_run_are_answered_without_a_question() {
    let scene = Scene::new().await;
    for (tool, arguments, expected) in [
        ("erase_disk", json!({}), "denied tool_not_declared"),
        ("read_clipboard", json!({}), "denied scope_not_granted"),
        (
            "read_file",
            json!({ "file": "notes.md" }),
            "error TOOL_INVALID_ARGUMENTS schema_validation_failed",
        ),
        ("paint_wall", json!({}), "error TOOL_UNAVAILABLE capability_gap"),
        (
            "read_file",
            json!({ "path": "/etc/passwd" }),
            "error TOOL_PLATFORM_ERROR sandbox_violation",
        ),
    ] {
        let result = scene.call(tool, arguments.clone()).await;
        assert_eq!(summary(&result), expected, "{tool} {arguments}");
    }
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_call_twice_runs_once_and_gets_the_same_answer() {
    let scene = Scene::new().await;
    let call_id: CallId = "call-1".parse().unwrap();
    let request =
        || ToolRequest::new("read_file", json!({ "path": "notes.md" })).call_id(call_id.clone());
    let call = scene.agent().call_tool(scene.conversation, request());
    let (first, _) = tokio::join!(call, scene.answer(Decision::AllowOnce));
    std::fs::write(scene.root.join("notes.md"), "changed").unwrap();
    let second = scene.agent().call_tool(scene.conversation, request()).await;
    assert_eq!(first.unwrap(), second.unwrap());
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn at_most_three_questions_of_an_agent_are_open_at_once() {
    let scene = Scene::new().await;
    let mut calls = Vec::new();
    for number in 0..4 {
        let arguments = json!({ "path": format!("file-{number}") });
        let request = ToolRequest::new("read_file", arguments);
        calls.push(scene.agent().start_call(scene.conversation, request).await.unwrap());
        if number < 3 {
            while scene.device().prompts().len() <= number {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    }
    let last = calls.pop().unwrap().await;
    assert_eq!(summary(&last), "error TOOL_PLATFORM_ERROR rate_limited");
    assert_eq!(scene.device().prompts().len(), 3);
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_without_an_answer_ends_with_its_total_timeout() {
    let scene = Scene::new().await;
    let request = ToolRequest::new("read_file", json!({ "path": "notes.md" }))
        .total_timeout(Duration::from_secs(1));
    let result = scene.agent().call_tool(scene.conversation, request).await;
    assert!(matches!(result, Err(CallError::TotalTimeout)), "{result:?}");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_is_shown_without_a_question() {
    let scene = Scene::new().await;
    let mut events = scene.device().events();
    let call = || scene.call("send_notification", json!({ "title": "Tea is ready" }));
    assert_eq!(summary(&call().await), "error TOOL_UNAVAILABLE capability_gap");
    let _terminal = scene.device().attach(Interface::Terminal);
    assert_eq!(call().await.unwrap()["delivered"], "terminal");
    let _console = scene.device().attach(Interface::Console);
    assert_eq!(call().await.unwrap()["delivered"], "console");
    loop {
        if let DeviceEvent::Notification(notification) = events.recv().await.unwrap() {
            assert_eq!(notification.title, "helper: Tea is ready");
            break;
        }
    }
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawn_call_closes_its_question() {
    let scene = Scene::new().await;
    let request = ToolRequest::new("read_file", json!({ "path": "notes.md" }));
    let call = scene.agent().start_call(scene.conversation, request).await.unwrap();
    scene.prompt().await;
    call.cancel().await.unwrap();
    assert_eq!(summary(&call.await), "error TOOL_PLATFORM_ERROR canceled");
    assert!(scene.device().prompts().is_empty());
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_names_another_scope_is_refused() {
    let scene = Scene::new().await;
    let request = |scope: &str| {
        let title = json!({ "title": "hello" });
        ToolRequest::new("send_notification", title).permission_scope(scope.parse().unwrap())
    };
    let _console = scene.device().attach(Interface::Console);
    let call = |scope| scene.agent().call_tool(scene.conversation, request(scope));
    assert_eq!(summary(&call("notification:send").await), "ok");
    let expected = "error TOOL_INVALID_ARGUMENTS scope_mismatch";
    assert_eq!(summary(&call("filesystem:read").await), expected);
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_can_call_a_tool_before_it_answers() {
    let scene = Scene::new().await;
    let (agent, conversation) = (scene.agent().clone(), scene.conversation);
    let (done, mut handled) = tokio::sync::mpsc::unbounded_channel();
    scene.agent().add_message_handler(move |message| {
        let (agent, done) = (agent.clone(), done.clone());
        async move {
            let request = ToolRequest::new("get_location", json!({}));
            let result = agent.call_tool(conversation, request).await?;
            done.send((message.text().map(str::to_owned), result))?;
            Ok(())
        }
    });
    scene.device().send_message(conversation, "where am I?").await.unwrap();
    scene.answer(Decision::AllowOnce).await;
    let (text, result) = handled.recv().await.unwrap();
    assert_eq!(text.as_deref(), Some("where am I?"));
    assert_eq!(result["source"], "settings");
    scene.end().await;
}
