//! The stricter profile, field by field: a good record is spoilt in one place, and the problem is
//! found exactly there.

use assent_protocol::agent_tool::*;
use serde_json::{Value, json};

use super::strict::places;

const TIME: &str = "2026-05-08T00:00:00Z";

/// Spoils `good` at each pointer in turn.
#[track_caller]
fn spoil<R: Record + std::fmt::Debug>(good: &Value, bad: &Value, pointers: &[&str]) {
    let record: R = serde_json::from_value(good.clone()).unwrap();
    assert_eq!(record.problems(), [], "{good:#}");
    for pointer in pointers {
        let mut spoilt = good.clone();
        *spoilt.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = bad.clone();
        let record: R = serde_json::from_value(spoilt).unwrap();
        let found = places(&record);
        assert!(found.iter().any(|place| place == pointer), "{pointer} {bad}: {found:?}");
    }
}

/// Empty texts, odd times, unknown words and other shapes, each at its pointers.
#[track_caller]
fn check<R: Record + std::fmt::Debug>(
    good: &Value,
    texts: &[&str],
    times: &[&str],
    words: &[&str],
    shapes: &[&str],
) {
    if good.get("schema_version").is_some() {
        spoil::<R>(good, &json!("0.3.0"), &["/schema_version"]);
    }
    spoil::<R>(good, &json!(""), texts);
    spoil::<R>(good, &json!("yesterday"), times);
    spoil::<R>(good, &json!("x-unknown"), words);
    spoil::<R>(good, &json!({ "x": 1 }), shapes);
}

#[test]
fn of_a_declaration() {
    let good = json!({
        "schema_version": "0.2.0", "tool_id": "t", "namespace": "n", "name": "t",
        "description": "d", "lifecycle": "available", "tool_kind": "function",
        "aliases": ["a"], "capability_refs": ["c"], "interface_ref": "i",
        "execution_profile_ref": "e", "permission_profile_ref": "p",
        "input_contract": { "model_input_schema": {}, "argument_mode": "json" },
        "output_contract": { "content_types": ["text"] },
        "external_mappings": [{ "source": "mcp", "server_id": "s" }],
    });
    let texts = [
        "/tool_id",
        "/namespace",
        "/name",
        "/description",
        "/aliases/0",
        "/capability_refs/0",
        "/interface_ref",
        "/execution_profile_ref",
        "/permission_profile_ref",
    ];
    let words = ["/tool_kind", "/input_contract/argument_mode", "/external_mappings/0/source"];
    check::<ToolDeclaration>(&good, &texts, &[], &words, &["/external_mappings/0"]);
}

#[test]
fn of_a_namespace_and_an_interface() {
    let good = json!({
        "schema_version": "0.2.0", "namespace": "n", "origin": "skill", "provider_id": "p",
        "external_mappings": [{ "source": "cli", "command_id": "c" }],
    });
    let words = ["/origin", "/external_mappings/0/source"];
    check::<ToolNamespace>(&good, &["/namespace", "/provider_id"], &[], &words, &[]);
    let good = json!({
        "schema_version": "0.2.0", "interface_id": "i", "tool_id": "t", "name": "t",
        "aliases": ["a"], "execution_profile_ref": "e", "permission_profile_ref": "p",
        "external_mappings": [{ "source": "cli", "command_id": "c" }],
    });
    let texts = [
        "/interface_id",
        "/tool_id",
        "/name",
        "/aliases/0",
        "/execution_profile_ref",
        "/permission_profile_ref",
    ];
    let words = ["/external_mappings/0/source"];
    check::<ToolInterface>(&good, &texts, &[], &words, &["/external_mappings/0"]);
}

#[test]
fn of_a_surface_and_a_deferred_tool() {
    let good = json!({
        "schema_version": "0.2.0", "surface_id": "s", "scope": "turn", "created_at": TIME,
        "tool_refs": ["t"], "loaded_tools": ["t"], "deferred_tools": ["u"], "policy_refs": ["p"],
        "runtime_refs": ["r"], "blocked_tools": [{ "tool_id": "t", "reason": "policy_blocked" }],
        "supersedes": "older",
    });
    let texts = [
        "/surface_id",
        "/tool_refs/0",
        "/loaded_tools/0",
        "/deferred_tools/0",
        "/policy_refs/0",
        "/runtime_refs/0",
        "/blocked_tools/0/tool_id",
        "/blocked_tools/0/reason",
        "/supersedes",
    ];
    let shapes = ["/blocked_tools/0", "/supersedes"];
    check::<ToolSurface>(&good, &texts, &["/created_at"], &["/scope"], &shapes);
    let good = json!({
        "schema_version": "0.2.0", "tool_id": "t", "name": "t", "namespace": "n",
        "loading_state": "deferred",
    });
    check::<DeferredToolRef>(&good, &["/tool_id", "/name", "/namespace"], &[], &[], &[]);
}

#[test]
fn of_a_search_and_the_profiles() {
    let good = json!({
        "schema_version": "0.2.0", "query": "q", "query_type": "keyword", "matches": ["t"],
        "pending_providers": ["p"], "missing_names": ["m"],
    });
    let texts = ["/matches/0", "/pending_providers/0", "/missing_names/0"];
    check::<ToolSearchResult>(&good, &texts, &[], &["/query_type"], &[]);
    let good = json!({
        "schema_version": "0.2.0", "permission_profile_id": "p", "risk_level": "low",
        "access_kinds": ["network"], "write_effects": ["none"], "credential_refs": ["c"],
        "policy_refs": ["p"],
    });
    let texts = ["/permission_profile_id", "/credential_refs/0", "/policy_refs/0"];
    let words = ["/access_kinds/0", "/write_effects/0"];
    check::<ToolPermissionProfile>(&good, &texts, &[], &words, &[]);
    let mut good = json!({
        "schema_version": "0.2.0", "execution_profile_id": "e", "execution_kind": "shell",
        "sandboxed": true, "external_mappings": [{ "source": "cli", "command_id": "c" }],
    });
    for ability in [
        "progress",
        "cancel",
        "resume",
        "retries",
        "partial_results",
        "background",
        "artifacts",
        "context_modifiers",
    ] {
        good[format!("supports_{ability}")] = json!(false);
    }
    let words = ["/execution_kind", "/external_mappings/0/source"];
    let shapes = ["/external_mappings/0"];
    check::<ToolExecutionProfile>(&good, &["/execution_profile_id"], &[], &words, &shapes);
}

#[test]
fn of_a_decision_a_hook_and_a_mutation() {
    let good = json!({
        "schema_version": "0.2.0", "decision_id": "d", "invocation_id": "i", "behavior": "allow",
        "decided_at": TIME, "expires_at": TIME, "source": "session", "rule_refs": ["r"],
        "policy_refs": ["p"], "reason": { "type": "rule" },
        "suggested_updates": [{ "type": "set_mode", "mode": "plan", "destination": "session" }],
        "content_blocks": [{ "type": "text", "text": "ok" }],
    });
    let texts = ["/decision_id", "/invocation_id", "/rule_refs/0", "/policy_refs/0"];
    let words = ["/source", "/reason/type"];
    let shapes = ["/reason", "/suggested_updates/0", "/content_blocks/0"];
    let times = ["/decided_at", "/expires_at"];
    check::<ToolPermissionDecision>(&good, &texts, &times, &words, &shapes);
    let good = json!({
        "schema_version": "0.2.0", "hook_id": "h", "hook_event": "pre_tool_use",
        "invocation_id": "i", "tool_id": "t", "started_at": TIME, "ended_at": TIME,
        "outputs": [{ "type": "message" }], "permission_result": { "behavior": "deny" },
        "hook_run_id": "r",
    });
    let texts = ["/hook_id", "/invocation_id", "/tool_id", "/hook_run_id"];
    let shapes = ["/outputs/0", "/permission_result", "/hook_run_id"];
    let times = ["/started_at", "/ended_at"];
    check::<ToolHook>(&good, &texts, &times, &["/outputs/0/type"], &shapes);
    let good = json!({
        "schema_version": "0.2.0", "mutation_id": "m", "invocation_id": "i", "source_type": "hook",
        "created_at": TIME, "source_ref": "h", "changed_fields": ["/a", ""],
    });
    let texts = ["/mutation_id", "/invocation_id", "/source_ref"];
    let words = ["/changed_fields/0"];
    check::<ToolInputMutation>(&good, &texts, &["/created_at"], &words, &[]);
}

#[test]
fn of_a_call() {
    let good = json!({
        "schema_version": "0.2.0", "invocation_id": "i", "tool_id": "t", "status": "failed",
        "created_at": TIME, "ended_at": TIME, "surface_id": "s", "native_call_id": "n",
        "status_transitions": [{ "status": "planned", "at": TIME }, { "status": "failed", "at": TIME }],
        "permission_decision_refs": ["d"], "hook_refs": ["h"], "policy_refs": ["p"],
        "runtime_refs": ["r"], "evidence_refs": ["e"], "artifact_refs": [{ "artifact_id": "a" }],
        "scheduler": { "is_read_only": true }, "depends_on": ["other"], "mutation_refs": ["m"],
        "attempt": 1, "retry_of": "older", "result_ref": "r", "requested_name": "t",
        "schema_digest": "sha256:0", "external_mappings": [{ "source": "mcp", "server_id": "s" }],
    });
    let texts = [
        "/invocation_id",
        "/tool_id",
        "/surface_id",
        "/native_call_id",
        "/hook_refs/0",
        "/permission_decision_refs/0",
        "/policy_refs/0",
        "/runtime_refs/0",
        "/evidence_refs/0",
        "/artifact_refs/0/artifact_id",
        "/depends_on/0",
        "/mutation_refs/0",
        "/retry_of",
        "/result_ref",
    ];
    let times =
        ["/created_at", "/ended_at", "/status_transitions/0/at", "/status_transitions/1/at"];
    let words = ["/status", "/external_mappings/0/source"];
    let shapes = [
        "/status_transitions/0",
        "/artifact_refs/0",
        "/depends_on",
        "/mutation_refs",
        "/attempt",
        "/retry_of",
        "/result_ref",
        "/requested_name",
        "/schema_digest",
        "/external_mappings",
    ];
    check::<ToolInvocation>(&good, &texts, &times, &words, &shapes);
    spoil::<ToolInvocation>(&good, &json!(0), &["/attempt", "/scheduler"]);
    let mut ran = good;
    ran["status"] = json!("succeeded");
    ran["started_at"] = json!(TIME);
    ran["status_transitions"] = ["planned", "selected", "arguments_ready", "running", "succeeded"]
        .iter()
        .map(|status| json!({ "status": status, "at": TIME }))
        .collect();
    spoil::<ToolInvocation>(&ran, &json!("yesterday"), &["/started_at"]);
    let mut unfinished = ran;
    unfinished.as_object_mut().unwrap().remove("started_at");
    let record: ToolInvocation = serde_json::from_value(unfinished).unwrap();
    assert_eq!(places(&record), ["/started_at"]);
}

#[test]
fn of_a_scheduler_policy() {
    let good = json!({
        "schema_version": "0.2.0", "scheduler_policy_id": "p",
        "resource_locks": [{ "key": "disk", "mode": "shared" }],
    });
    let texts = ["/scheduler_policy_id", "/resource_locks/0/key"];
    check::<ToolSchedulerPolicy>(&good, &texts, &[], &[], &["/resource_locks/0"]);
}

#[test]
fn of_progress_and_events() {
    let good = json!({
        "schema_version": "0.2.0", "progress_id": "p", "invocation_id": "i", "sequence": 0,
        "status": "running", "timestamp": TIME, "task_id": "t", "partial_result_refs": ["r"],
        "artifact_refs": [{ "artifact_id": "a" }],
    });
    let texts = [
        "/progress_id",
        "/invocation_id",
        "/task_id",
        "/partial_result_refs/0",
        "/artifact_refs/0/artifact_id",
    ];
    check::<ToolProgress>(&good, &texts, &["/timestamp"], &["/status"], &["/artifact_refs/0"]);
    let good = json!({
        "schema_version": "0.2.0", "event_id": "e", "event_type": "tool.declared", "source": "s",
        "time": TIME, "invocation_id": "i", "tool_id": "t", "data": { "sequence": 1 },
    });
    let texts = ["/event_id", "/source", "/invocation_id", "/tool_id"];
    check::<ToolEvent>(&good, &texts, &["/time"], &["/event_type"], &[]);
    spoil::<ToolEvent>(&good, &json!("first"), &["/data/sequence"]);
}

#[test]
fn of_a_result_and_its_storage() {
    let good = json!({
        "schema_version": "0.2.0", "result_id": "r", "invocation_id": "i", "status": "failed",
        "created_at": TIME, "is_error": true,
        "error": { "error_class": "timeout", "message": "m", "recoverability": "none",
                   "error_code": "c", "policy_refs": ["p"], "evidence_refs": ["e"],
                   "abort_reason": "timeout" },
        "content": [{ "type": "text", "text": "" }], "model_facing_content": [{ "type": "log" }],
        "artifact_refs": [{ "artifact_id": "a" }], "resource_refs": [{ "uri": "u" }],
        "persistence_refs": ["p"], "evidence_refs": ["e"], "policy_refs": ["p"],
        "input_mutations": [{ "mutation_id": "m", "source_type": "hook" }], "empty_result": false,
        "synthetic": false, "output_hook_refs": ["h"], "native_output_ref": "n",
        "warnings": [{ "error_class": "post_hook_failed", "message": "m" }],
    });
    let texts = [
        "/result_id",
        "/invocation_id",
        "/error/message",
        "/error/error_code",
        "/error/policy_refs/0",
        "/error/evidence_refs/0",
        "/artifact_refs/0/artifact_id",
        "/resource_refs/0/uri",
        "/persistence_refs/0",
        "/evidence_refs/0",
        "/policy_refs/0",
        "/warnings/0/message",
    ];
    let words = [
        "/status",
        "/error/error_class",
        "/error/recoverability",
        "/error/abort_reason",
        "/content/0/type",
        "/model_facing_content/0/type",
        "/warnings/0/error_class",
    ];
    let shapes = [
        "/error",
        "/content/0",
        "/model_facing_content/0",
        "/artifact_refs/0",
        "/resource_refs/0",
        "/input_mutations",
        "/empty_result",
        "/output_hook_refs",
        "/native_output_ref",
        "/warnings",
    ];
    check::<ToolResult>(&good, &texts, &["/created_at"], &words, &shapes);
    let good = json!({
        "schema_version": "0.2.0", "decision_id": "d", "invocation_id": "i", "result_id": "r",
        "strategy": "preview_and_persist", "created_at": TIME, "preview_size_bytes": 1,
        "threshold": { "max_inline_chars": 10 }, "persisted_ref": { "uri": "u" },
    });
    let texts = ["/decision_id", "/invocation_id", "/result_id", "/persisted_ref/uri"];
    let shapes = ["/persisted_ref"];
    check::<ToolResultPersistence>(&good, &texts, &["/created_at"], &[], &shapes);
    spoil::<ToolResultPersistence>(&good, &json!({ "max_inline_chars": -1 }), &["/threshold"]);
}
