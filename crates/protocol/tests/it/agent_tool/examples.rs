//! Records in the style of the standard's examples, with native ids of every protocol.

use assent_protocol::agent_tool::*;
use serde_json::{Value, json};

/// Reads, writes, and compares.
#[track_caller]
fn unchanged<R: Record + std::fmt::Debug>(record: impl Into<Value>) -> R {
    let record = record.into();
    let read: R = serde_json::from_value(record.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), record);
    read
}

#[test]
fn a_denial_keeps_its_reason_and_its_advice() {
    let decision: ToolPermissionDecision = unchanged(json!({
        "schema_version": "0.2.0", "decision_id": "perm_1", "invocation_id": "inv_write",
        "behavior": "deny", "mode": "default", "source": "project_settings",
        "reason": { "type": "rule", "rule_ref": "deny_secrets", "message": "no writes here" },
        "blocked_path": "/workspace/.secrets/token", "decided_at": "2026-05-08T00:00:00Z",
    }));
    let reason = decision.reason.as_ref().unwrap().typed().unwrap();
    assert_eq!(reason.kind, ReasonType::Rule);

    let result: ToolResult = unchanged(json!({
        "schema_version": "0.2.0", "result_id": "res_write", "invocation_id": "inv_write",
        "status": "denied", "is_error": true,
        "error": { "error_class": "permission_denied", "retry_after": null,
                   "recoverability": "change_arguments_or_policy" },
        "policy_refs": ["policy:files"], "created_at": "2026-05-08T00:00:01Z",
    }));
    let error = result.error.as_ref().unwrap().typed().unwrap();
    let advice = error.recoverability.clone().unwrap();
    assert_eq!(advice, Recoverability::ChangeArgumentsOrPolicy);
    assert_eq!(error.retry_after, Some(RetryAfter::Unknown(())));
}

/// Item 162.
#[test]
fn native_ids_come_back_as_they_were() {
    let values = [
        (
            MappingSource::Mcp,
            json!({ "server_id": "docs", "method": "tools/call", "tool_name": "search",
            "jsonrpc_request_id": 17, "_meta": { "a": null }, "isError": false }),
        ),
        (
            MappingSource::Openapi,
            json!({ "operation_id": "listPets", "method": "GET", "path": "/pets",
            "server_url": "https://x.example", "security_scheme_refs": ["key"] }),
        ),
        (
            MappingSource::FunctionCalling,
            json!({ "tool_call_id": "call_9", "function_name": "f",
            "strict": true, "tool_choice": { "type": "function" } }),
        ),
        (
            MappingSource::A2a,
            json!({ "agent_card_url": "https://a.example/card", "task_id": "t1" }),
        ),
        (
            MappingSource::Cli,
            json!({ "command_id": "c", "argv_ref": "r", "exit_code": -1, "signal": null }),
        ),
        (MappingSource::Browser, json!({ "browser_session_id": "b", "page_id": 3 })),
        (MappingSource::Telemetry, json!({ "trace_id": "0af7", "duration_ms": 1.5 })),
    ];
    for (source, mut mapping) in values {
        mapping["source"] = source.as_str().into();
        let read: ToolExternalMapping = unchanged(mapping.clone());
        assert_eq!(read.source, source);
        for name in source.fields() {
            assert_eq!(read.native(name), mapping.get(name), "{source} {name}");
        }
    }
    assert_eq!(MappingSource::ALL.iter().map(|source| source.fields().len()).sum::<usize>(), 45);
}

#[test]
fn a_search_may_answer_with_bare_ids() {
    let result: ToolSearchResult = unchanged(json!({
        "schema_version": "0.2.0", "query": "select:search_issues", "query_type": "select",
        "matches": ["mcp.github.search_issues", { "tool_id": "b", "score": 1.5, "reasons": ["name"] }],
        "total_deferred_tools": 31, "next_action": "load_schema_then_call",
    }));
    let found: Vec<_> = result.matches.iter().map(|found| found.tool_id().as_str()).collect();
    assert_eq!(found, ["mcp.github.search_issues", "b"]);
}

#[test]
fn scheduler_facts_and_stored_bytes_are_typed() {
    let call: ToolInvocation = unchanged(json!({
        "schema_version": "0.2.0", "invocation_id": "inv_a", "tool_id": "file_read",
        "status": "queued", "created_at": "2026-05-08T00:00:00Z", "depends_on": ["inv_b"],
        "scheduler": { "is_concurrency_safe": true, "is_read_only": true, "interrupt_behavior": "cancel" },
    }));
    let facts = call.scheduler.as_ref().unwrap().typed().unwrap();
    assert_eq!(facts.is_concurrency_safe, Some(true));
    assert_eq!(call.depends_on.as_ref().unwrap().typed().unwrap()[0].as_str(), "inv_b");

    let stored: ToolResultPersistence = unchanged(json!({
        "schema_version": "0.2.0", "decision_id": "persist_1", "invocation_id": "inv_big",
        "strategy": "preview_and_persist", "threshold": { "max_inline_chars": 50000 },
        "original_size_bytes": 481_204, "preview_size_bytes": 2048,
        "persisted_ref": { "uri": "blob:1", "media_type": "text/plain", "digest": "sha256:00" },
        "created_at": "2026-05-08T00:00:00Z",
    }));
    assert_eq!(stored.persisted_ref.as_ref().unwrap().typed().unwrap().uri, "blob:1");
}

#[test]
fn every_kind_of_suggested_update_is_understood() {
    for (kind, rest) in [
        ("add_rules", json!({ "behavior": "allow", "rules": ["read_file"] })),
        ("replace_rules", json!({ "behavior": "ask", "rules": [] })),
        ("remove_rules", json!({ "behavior": "deny", "rules": [{ "tool": "rm" }] })),
        ("set_mode", json!({ "mode": "plan" })),
        ("add_directories", json!({ "directories": ["/tmp"] })),
        ("remove_directories", json!({ "directories": [], "x_note": 1 })),
    ] {
        let mut update = rest;
        update["type"] = kind.into();
        update["destination"] = "session".into();
        let read: SuggestedUpdate = serde_json::from_value(update.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), update);
    }
}
