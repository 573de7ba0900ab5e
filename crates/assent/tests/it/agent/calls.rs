//! `assent agent call` and `send`

use assent_device::Decision;
use serde_json::{Value, json};

use super::scene::{Home, Scene};

/// What a call printed, without its id.
fn outcome(run: &crate::Run) -> Value {
    let mut outcome = run.json();
    let id = outcome.as_object_mut().unwrap().remove("call_id").unwrap();
    assert!(!id.as_str().unwrap().is_empty());
    outcome
}

#[test]
fn the_exit_code_says_how_a_call_ended() {
    let scene = Scene::new();
    let read = [&*scene.conversation, "read_file", r#"{"path":"notes.md"}"#];
    let allowed = scene.call_and_answer(&read, Decision::AllowOnce);
    assert_eq!((allowed.code, &allowed.json()["status"]), (0, &"ok".into()), "{}", allowed.stderr);
    assert_eq!(allowed.json()["result"]["content"], "marker-in-the-file");

    // The only conversation may be left out.
    let denied = scene.call_and_answer(&read[1..], Decision::Deny);
    assert_eq!(denied.code, 3);
    assert_eq!(outcome(&denied), json!({ "status": "denied", "reason": "user_refused" }));

    let undeclared = scene.call(&["erase_disk"]);
    assert_eq!(undeclared.code, 3);
    assert_eq!(outcome(&undeclared), json!({ "status": "denied", "reason": "tool_not_declared" }));

    let failed = scene.call(&["read_file", r#"{"file":"notes.md"}"#]);
    assert_eq!(failed.code, 1);
    let expected = json!({
        "status": "error", "error_code": "TOOL_INVALID_ARGUMENTS",
        "reason": "schema_validation_failed",
    });
    assert_eq!(outcome(&failed), expected);

    let unanswered = scene.call(&["read_file", r#"{"path":"notes.md"}"#, "--timeout", "2s"]);
    assert_eq!(unanswered.code, 4);
    assert_eq!(outcome(&unanswered), json!({ "status": "none", "reason": "total_timeout" }));
    // The call was withdrawn before the process ended, and the question is closed.
    let began = std::time::Instant::now();
    while !scene.device.prompts().is_empty() {
        assert!(began.elapsed() < std::time::Duration::from_secs(10), "the question is still open");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

#[test]
fn arguments_come_from_a_file_or_from_standard_input() {
    let mut scene = Scene::new();
    let arguments = scene.home.path("arguments.json");
    std::fs::write(&arguments, r#"{"title":"from a file"}"#).unwrap();
    let run = scene.call(&["send_notification", &format!("@{arguments}")]);
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    assert_eq!(scene.notifications(), ["helper: from a file"]);

    let mut command = scene.home.command(&["call", "send_notification", "-", "--json"]);
    let file = std::fs::File::open(&arguments).unwrap();
    let run = crate::running::run(command.stdin(file));
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    assert_eq!(scene.notifications(), ["helper: from a file"]);
}

#[test]
fn people_read_the_result_on_standard_output_and_the_reason_on_standard_error() {
    let mut scene = Scene::new();
    let ok = scene.home.agent(&["call", "send_notification", r#"{"title":"tea"}"#]);
    assert_eq!(ok.code, 0, "{}", ok.stderr);
    assert_eq!(ok.json_text()["delivered"], "console");
    assert_eq!(scene.notifications(), ["helper: tea"]);
    let denied = scene.home.agent(&["call", "erase_disk"]);
    assert_eq!((denied.code, denied.text()), (3, ""));
    assert!(denied.stderr.contains("tool_not_declared"), "{}", denied.stderr);
}

#[test]
fn wrong_command_lines_are_refused_with_what_to_do() {
    let scene = Scene::new();
    for arguments in [
        &["read_file", "{"][..],
        &["read_file", "[]"],
        &["read_file", r#"{"path":1,"path":2}"#],
        &["read_file", "@/does/not/exist"],
        &["read_file", "{}", "--timeout", "soon"],
        &["read_file", "{}", "--call-id", "not an id"],
        &["cnv_wrong", "read_file", "{}"],
        &["read_file", "{}", "{}"],
    ] {
        let run = scene.call(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}{}", run.text(), run.stderr);
        assert!(run.json()["error"]["message"].is_string(), "{arguments:?}");
    }
    let unknown = scene.call(&["cnv_01J00000000000000000000000", "read_file", "{}"]);
    assert_eq!(
        (unknown.code, &unknown.json()["error"]["code"]),
        (1, &"UNKNOWN_CONVERSATION".into())
    );

    let home = Home::new();
    let run = home.agent(&["call", "read_file", "--json"]);
    assert_eq!((run.code, &run.json()["error"]["code"]), (2, &"WRONG_USE".into()));
    assert!(run.stderr.contains("assent agent init"), "{}", run.stderr);
}

#[test]
fn a_text_is_sent_when_the_command_ends() {
    let scene = Scene::new();
    let sent = scene.home.agent(&["send", "good morning", "--json"]);
    assert_eq!(sent.code, 0, "{}{}", sent.text(), sent.stderr);
    assert_eq!(sent.json()["conversation_id"], scene.conversation);
    let whoami = scene.home.agent(&["whoami", "--json"]).json();
    let agent = whoami["agent_id"].as_str().unwrap();
    let path = format!("/conversations/{}/messages", scene.conversation);
    let token = std::fs::read_to_string(scene.home.path("agent/token")).unwrap();
    let messages = scene.home.relay.call("GET", &path, &token, &json!({}));
    let of_agent = |message: &&Value| message["sender_id"] == agent;
    let messages: Vec<&Value> = messages.as_array().unwrap().iter().filter(of_agent).collect();
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0]["client_message_id"], sent.json()["client_message_id"]);
}

#[test]
fn an_agent_that_was_not_added_has_no_one_to_talk_to() {
    let home = Home::new();
    assert_eq!(home.init(&super::scene::NEW_OWNER).code, 0);
    for arguments in [&["send", "hello", "--json"][..], &["call", "read_file", "--json"]] {
        let run = home.agent(arguments);
        assert_eq!((run.code, &run.json()["error"]["code"]), (1, &"NO_RELATION".into()));
    }
}
