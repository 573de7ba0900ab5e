//! Tool calls in both published shapes.

use assent_ids::{CallId, ToolName};
use assent_protocol::{
    a2h::{ArtifactError, ToolCall},
    wire::Millis,
};
use serde_json::{Value, json};

use crate::support::id;

fn flat() -> Value {
    json!({ "type": "artifact", "artifact": {
        "subtype": "tool_call", "call_id": "call_abc123", "tool_name": "read_file",
        "arguments": { "path": "/notes.md" }, "permission_scope": "filesystem:read", "timeout_ms": 5000,
    }})
}

#[test]
fn the_flat_shape_comes_back_unchanged() {
    let call: ToolCall = serde_json::from_value(flat()).unwrap();
    assert_eq!(call.call_id, id::<CallId>("call_abc123"));
    assert_eq!(call.tool_name.strict().unwrap(), id::<ToolName>("read_file"));
    assert_eq!(call.timeout_ms, Some(Millis(5000)));
    assert_eq!(serde_json::to_value(call).unwrap(), flat());
}

#[test]
fn the_nested_shape_reads_as_the_same_call() {
    let mut fields = flat()["artifact"].clone();
    fields.as_object_mut().unwrap().remove("subtype");
    let nested = json!({ "artifact": {
        "artifact_id": "call_abc123", "subtype": "tool_call", "payload": fields } });
    let call: ToolCall = serde_json::from_value(nested.clone()).unwrap();
    assert_eq!(serde_json::to_value(call).unwrap(), flat());
    let mut without_id = nested;
    without_id["artifact"]["payload"].as_object_mut().unwrap().remove("call_id");
    let call: ToolCall = serde_json::from_value(without_id).unwrap();
    assert_eq!(serde_json::to_value(call).unwrap(), flat(), "the artifact is named after the call");
}

#[test]
fn a_wrong_call_is_read_so_that_it_can_be_answered() {
    let call: ToolCall = serde_json::from_value(json!({ "artifact": {
        "subtype": "tool_call", "call_id": "c", "tool_name": "Not A Tool!", "arguments": [1],
        "permission_scope": "", "x_more": true } }))
    .unwrap();
    assert!(call.tool_name.strict().is_err());
    assert_eq!((call.arguments.clone(), &call.extra["x_more"]), (json!([1]), &json!(true)));
    let call: ToolCall = serde_json::from_value(
        json!({ "artifact": { "subtype": "tool_call", "call_id": "c", "tool_name": "t" } }),
    )
    .unwrap();
    assert_eq!((call.arguments, call.permission_scope), (json!({}), None));
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let refused = |message: Value| ToolCall::try_from(message).unwrap_err();
    let mut bad_id = flat();
    bad_id["artifact"]["call_id"] = "".into();
    assert!(matches!(refused(bad_id), ArtifactError::Malformed { .. }));
    let mut other = flat();
    other["artifact"]["subtype"] = "form".into();
    assert!(matches!(refused(other), ArtifactError::OtherSubtype("tool_call")));
    for odd in [json!(null), json!("x"), json!({}), json!({ "artifact": 1 })] {
        assert!(matches!(refused(odd), ArtifactError::OtherSubtype(_)));
    }
}

#[test]
fn a_malformed_call_still_names_itself() {
    let mut bad = flat();
    bad["artifact"]["timeout_ms"] = json!(-5);
    match ToolCall::try_from(bad).unwrap_err() {
        ArtifactError::Malformed { call_id, .. } => assert_eq!(call_id, Some(id("call_abc123"))),
        other => panic!("{other}"),
    }
    let mut bad = flat();
    bad["artifact"]["call_id"] = "two words".into();
    let error = ToolCall::try_from(bad).unwrap_err();
    assert!(matches!(error, ArtifactError::Malformed { call_id: None, .. }));
    let mut null = flat();
    null["artifact"]["timeout_ms"] = Value::Null;
    assert_eq!(ToolCall::try_from(null).unwrap().timeout_ms, None);
}

#[test]
fn a_message_with_two_meanings_is_refused() {
    let mut both = flat();
    both["artifact"]["payload"] = json!({ "call_id": "other", "tool_name": "rm" });
    assert!(matches!(ToolCall::try_from(both).unwrap_err(), ArtifactError::Ambiguous));
    let mut both = flat();
    both["payload"] = json!({ "ref_artifact_subtype": "tool_call" });
    assert!(matches!(ToolCall::try_from(both).unwrap_err(), ArtifactError::Ambiguous));
}
