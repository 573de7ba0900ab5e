//! Values of sensitive fields and secrets of hooks reach no record and no result.

use serde_json::json;

use crate::{
    desk::{Desk, entry, file_of},
    processes::Script,
    service::Service,
};

const SECRET: &str = "planted-7f3a";

#[tokio::test]
async fn a_hook_that_is_not_trusted_sees_masks_before_and_after_a_call() {
    let script = Script::new("cat >> seen");
    let desk = Desk::new(&json!({"hooks": [
        entry(&script, json!({"id": "before"})),
        entry(&script, json!({"id": "after", "event": "post_tool_use"})),
        entry(&script, json!({"id": "stored", "event": "result_persistence"})),
        entry(&script, json!({"id": "decided", "event": "permission_decision"})),
    ]}));
    desk.login().await;
    let seen = std::fs::read_to_string(script.file("seen")).unwrap();
    assert_eq!(seen.lines().count(), 4, "{seen}");
    assert!(!seen.contains(SECRET), "{seen}");
    assert_eq!(seen.matches("redacted:sha256:").count(), 4);
    assert_eq!(seen.matches("[redacted]").count(), 2, "the tool echoes it");
    assert!(seen.contains(r#""decision":"allow""#));
}

/// Secrets in the answers of a trusted hook are never shown.
#[tokio::test]
async fn what_a_trusted_hook_betrays_is_taken_out() {
    for body in [
        "grep -o 'planted-7f3a' >&2; exit 2",
        "grep -o 'planted-7f3a' >&2; exit 1",
        r#"cat >/dev/null; echo '{"stop": "it was planted-7f3a"}'"#,
        r#"cat >/dev/null; echo '{"context": ["planted-7f3a"], "messages": ["planted-7f3a"]}'"#,
        r#"cat >/dev/null; echo '{"decide": {"behavior": "ask", "reason": "planted-7f3a"}, "progress": [{"message": "planted-7f3a"}]}'"#,
        r#"cat >/dev/null; echo '{"planted-7f3a": 1}'"#,
    ] {
        let script = Script::new(body);
        let desk = Desk::new(&file_of(&script, json!({"sees_sensitive": true})));
        let result = serde_json::to_string(&*desk.login().await).unwrap();
        assert!(!result.contains(SECRET), "{body}\n{result}");
        let records = desk.records().await;
        assert!(!records.contains(SECRET), "{body}\n{records}");
    }
}

#[tokio::test]
async fn the_secrets_of_hooks_reach_only_the_hooks() {
    let service = Service::saying(500, "").await;
    let script = Script::new("exit 1");
    std::fs::write(script.file("token"), "hook-token-9c1d").unwrap();
    let token = json!({"file": script.file("token")});
    let mut command = entry(&script, json!({"id": "command", "on_failure": "open"}));
    command["command"]["env"]["TOKEN"] = token.clone();
    let url = format!("http://127.0.0.1:{}/?key=hook-token-9c1d", service.port);
    let desk = Desk::new(&json!({"hooks": [command, {
        "id": "service", "event": "pre_tool_use",
        "http": {"url": url, "allow_loopback_http": true, "bearer": token}
    }]}));
    let result = serde_json::to_string(&*desk.login().await).unwrap();
    assert!(result.contains("hook_failed") && !result.contains("hook-token-9c1d"), "{result}");
    assert!(!desk.records().await.contains("hook-token-9c1d"));
    let authorization = service.seen.lock().unwrap()[0].headers["authorization"].clone();
    assert_eq!(authorization, "Bearer hook-token-9c1d");
}
