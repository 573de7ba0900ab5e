//! Hooks of a file in a real runtime: what they say happens, and what breaks does not hurt others.

use std::time::{Duration, Instant};

use assent_runtime::CallResult;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::{
    desk::{Desk, entry, error, file_of, status},
    processes::{Script, dies, eventually},
    service::{Service, rude},
};

/// The status of a login that worked: the tool echoes the password, which is taken out.
const WORKED: &str = "redacted";

fn value(result: &CallResult) -> Value {
    serde_json::to_value(&**result).unwrap()
}

#[tokio::test]
async fn a_command_denies_a_call() {
    let script = Script::new("echo 'no logins today' >&2; exit 2");
    let desk = Desk::new(&file_of(&script, json!({})));
    let result = desk.login().await;
    assert_eq!(status(&result), "denied");
    let (class, message) = error(&result);
    assert_eq!(class, "permission_denied");
    assert_eq!(message, "hook `guard` denies: no logins today");
    assert_eq!(desk.runs(), 0);
    assert!(desk.records().await.contains("no logins today"));
}

#[tokio::test]
async fn a_service_denies_a_call_and_others_are_not_asked() {
    let service =
        Service::saying(200, r#"{"decide": {"behavior": "deny", "reason": "closed"}}"#).await;
    let url = format!("http://127.0.0.1:{}/", service.port);
    let desk = Desk::new(&json!({"hooks": [{
        "id": "desk", "event": "pre_tool_use", "tools": "accounts/login",
        "http": {"url": url, "allow_loopback_http": true}
    }]}));
    assert_eq!(status(&desk.login().await), "denied");
    assert_eq!(status(&desk.call("other", json!({"user": "ada"})).await), "succeeded");
    assert_eq!(service.seen.lock().unwrap().len(), 1);
    let asked: Value = serde_json::from_str(&service.seen.lock().unwrap()[0].body).unwrap();
    let records = desk.records().await;
    assert!(records.contains(asked["run_id"].as_str().unwrap()), "the journal names the run");
    assert!(records.contains(asked["invocation_id"].as_str().unwrap()));
}

#[tokio::test]
async fn commands_change_the_input_one_after_the_other() {
    let first =
        Script::new(r#"cat >/dev/null; echo '{"update_input": {"user": "bob", "password": "b"}}'"#);
    let second = Script::new(r#"grep -q '"user":"bob"' && echo '{"context": ["bob was seen"]}'"#);
    let desk = Desk::new(&json!({"hooks": [
        entry(&first, json!({"id": "first"})),
        entry(&second, json!({"id": "second"})),
    ]}));
    let result = desk.login().await;
    assert_eq!(status(&result), WORKED);
    let shown = value(&result);
    assert_eq!(shown["structured_content"]["user"], "bob", "{shown}");
    assert_eq!(shown["additional_context"], json!([{"text": "bob was seen"}]));
    assert!(desk.records().await.contains("input_mutat"), "the change is recorded");
}

#[tokio::test]
async fn a_changed_input_must_still_fit_its_schema() {
    let script = Script::new(r#"echo '{"update_input": {"user": 7}}'"#);
    let desk = Desk::new(&file_of(&script, json!({})));
    let result = desk.login().await;
    assert_eq!((error(&result).0.as_str(), desk.runs()), ("schema_validation_failed", 0));
}

#[tokio::test]
async fn a_mask_that_is_handed_back_ends_the_call() {
    let script = Script::new(r#"sed 's/.*"input":\({[^}]*}\).*/{"update_input":\1}/'"#);
    let desk = Desk::new(&file_of(&script, json!({})));
    let result = desk.login().await;
    let (class, message) = error(&result);
    assert_eq!((class.as_str(), desk.runs()), ("hook_failed", 0));
    assert!(
        message.contains("the hook `guard` failed") && message.contains("/password"),
        "{message}"
    );
    // The same hook, trusted, hands back what it was given, which changes nothing.
    let desk = Desk::new(&file_of(&script, json!({"sees_sensitive": true})));
    assert_eq!((status(&desk.login().await), desk.runs()), (WORKED, 1));
}

#[tokio::test]
async fn a_command_stops_a_call() {
    let script = Script::new(r#"echo '{"stop": "the freeze began"}'"#);
    let desk = Desk::new(&file_of(&script, json!({})));
    let result = desk.login().await;
    let (class, message) = error(&result);
    assert_eq!((status(&result), class.as_str(), desk.runs()), ("denied", "hook_blocked", 0));
    assert!(message.contains("the freeze began"), "{message}");
}

#[tokio::test]
async fn a_hook_that_breaks_ends_the_call_unless_it_fails_open() {
    for body in ["exit 1", "echo '{\"unknown\": 1}'", "kill -9 $$"] {
        let script = Script::new(body);
        let closed = Desk::new(&file_of(&script, json!({})));
        let result = closed.login().await;
        let (class, message) = error(&result);
        assert_eq!((status(&result), class.as_str(), closed.runs()), ("failed", "hook_failed", 0));
        assert!(
            message.starts_with("the hook `guard` failed, so the call does not run: it"),
            "{message}"
        );
        let open = Desk::new(&file_of(&script, json!({"on_failure": "open"})));
        assert_eq!((status(&open.login().await), open.runs()), (WORKED, 1));
        closed.records().await;
        open.records().await;
    }
}

#[tokio::test]
async fn a_hook_that_takes_too_long_is_killed_with_its_children() {
    let script = Script::new("sleep 300 & echo $! > child; wait");
    let desk = Desk::new(&file_of(&script, json!({"timeout_ms": 700})));
    let begun = Instant::now();
    let result = desk.login().await;
    let (class, message) = error(&result);
    assert_eq!(class, "hook_failed");
    assert!(message.ends_with("it took longer than 700 ms"), "{message}");
    assert!(begun.elapsed() < Duration::from_secs(20));
    dies(script.number_in("child").await).await;
}

#[tokio::test]
async fn a_service_that_drips_is_given_up() {
    let port = rude(|mut stream| async move {
        let _head = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n").await;
        while stream.write_all(b" ").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    let desk = Desk::new(&json!({"hooks": [{
        "id": "drip", "event": "pre_tool_use", "timeout_ms": 500,
        "http": {"url": format!("http://127.0.0.1:{port}/"), "allow_loopback_http": true}
    }]}));
    let (class, message) = error(&desk.login().await);
    assert_eq!(class, "hook_failed");
    assert!(message.ends_with("it took longer than 500 ms"), "{message}");
}

#[tokio::test]
async fn a_hanging_hook_blocks_no_other_call() {
    let script = Script::new("echo $$ > leader; sleep 300");
    let desk = Desk::new(&file_of(&script, json!({"tools": "login", "timeout_ms": 60000})));
    let hanging = desk.login();
    let others = async {
        script.number_in("leader").await;
        for _ in 0..50 {
            let result = desk.call("other", json!({"user": "ada"})).await;
            assert_eq!(status(&result), "succeeded");
        }
    };
    tokio::select! {
        () = others => {}
        result = hanging => panic!("{result:?}"),
    }
    assert_eq!(desk.runs(), 50);
    // The call was given up with its future, and so was the process.
    dies(script.number_in("leader").await).await;
    eventually(|| (desk.runs() == 50).then_some(())).await;
}

#[tokio::test]
async fn an_authoritative_allow_settles_a_question() {
    let script =
        Script::new(r#"grep -q '"decision":"ask"' && echo '{"decide": {"behavior": "allow"}}'"#);
    for (authoritative, expected) in [(true, WORKED), (false, WORKED)] {
        let more = json!({"event": "permission_request", "authoritative": authoritative});
        let desk = Desk::with(&file_of(&script, more), |builder| builder);
        let result = desk.login().await;
        assert_eq!(status(&result), expected, "{authoritative}");
    }
    let silent = Script::new("exit 0");
    let desk =
        Desk::with(&file_of(&silent, json!({"event": "permission_request"})), |builder| builder);
    assert_eq!(desk.login().await.status.as_str(), "denied", "no person can be asked");
}

#[tokio::test]
async fn after_a_call_hooks_add_context_and_replace_outputs_of_protocols() {
    let script = Script::new(
        r#"echo '{"update_output": {"user": "masked"}, "context": ["scanned"], "stop": "enough"}'"#,
    );
    let desk = Desk::new(&file_of(&script, json!({"event": "post_tool_use"})));
    let remote = value(&desk.call("remote", json!({"user": "ada"})).await);
    assert_eq!(remote["status"], "succeeded");
    assert_eq!(remote["structured_content"], json!({"user": "masked"}), "{remote}");
    assert_eq!(remote["additional_context"], json!([{"text": "scanned"}]));
    assert_eq!(remote["stop"], json!({"reason": "enough"}));
    let native = value(&desk.login().await);
    assert_eq!(native["structured_content"]["user"], "ada");
    assert!(native["warnings"].to_string().contains("only the output of tools behind a protocol"));
}

#[tokio::test]
async fn a_hook_that_breaks_after_a_call_leaves_a_warning() {
    let script = Script::new("exit 2");
    let desk = Desk::new(&file_of(&script, json!({"event": "post_tool_use"})));
    let result = value(&desk.login().await);
    assert_eq!(result["status"], WORKED);
    assert!(result["warnings"].to_string().contains("nothing left to deny"), "{result}");
}

#[tokio::test]
async fn a_hook_keeps_a_result_from_being_passed_on() {
    let script = Script::new(r#"echo '{"persistence": "drop_with_reason"}'"#);
    let broken = Script::new("exit 1");
    for script in [script, broken] {
        let desk = Desk::new(&file_of(&script, json!({"event": "result_persistence"})));
        let result = value(&desk.call("login", json!({"user": "only-here"})).await);
        assert!(!result.to_string().contains("only-here"), "{result}");
    }
}
