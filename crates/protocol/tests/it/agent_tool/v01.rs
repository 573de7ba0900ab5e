//! Records of version 0.1.

use assent_ids::{GeneratedId, MutationId, Ulid};
use assent_protocol::agent_tool::{
    EventType, MutationSource, RecordKind, ToolDeclaration, ToolEvent, ToolInvocation,
    strict::Strict,
    v01::{UpgradeError, is_v01, read, upgrade},
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{
    at, foreign,
    json::Gen,
    schemas::{assert_valid, published, validator},
};

fn mutation_id() -> MutationId {
    MutationId::from_ulid(Ulid::from_bits(1))
}

fn old_call() -> Value {
    json!({ "schema_version": "0.1.1", "invocation_id": "inv_1", "tool_id": "t",
            "status": "succeeded", "created_at": "2026-01-01T00:00:00Z",
            "arguments": { "query": "rust" } })
}

/// Item 175.
#[test]
fn the_arguments_of_a_call_become_its_model_input() {
    let (call, mutation) = read::<ToolInvocation>(old_call(), mutation_id(), at(5)).unwrap();
    assert_eq!(call.schema_version, "0.2.0");
    assert_eq!(call.model_input, Some(json!({ "query": "rust" })));
    assert!(!call.extra.contains_key("arguments"));
    let mutation = mutation.unwrap();
    assert_eq!(mutation.source_type, MutationSource::Migration);
    assert_eq!(mutation.invocation_id.as_str(), "inv_1");
    assert_eq!(mutation.from_input_ref.as_deref(), Some("arguments"));
    assert_eq!(mutation.to_input_ref.as_deref(), Some("model_input"));
    assert_eq!(mutation.problems(), []);
    let written = serde_json::to_value(&mutation).unwrap();
    assert_valid(&validator(RecordKind::ToolInputMutation).unwrap(), &written);
}

#[test]
fn arguments_by_reference_become_a_model_input_by_reference() {
    let mut old = old_call();
    let fields = old.as_object_mut().unwrap();
    fields.remove("arguments");
    fields.insert("arguments_ref".to_owned(), "blob:7".into());
    let (call, mutation) = read::<ToolInvocation>(old, mutation_id(), at(5)).unwrap();
    assert_eq!(call.model_input_ref.as_deref(), Some("blob:7"));
    assert_eq!(mutation.unwrap().from_input_ref.as_deref(), Some("arguments_ref"));
}

#[test]
fn the_schema_of_a_declaration_becomes_that_of_the_model() {
    let old = json!({ "tool_id": "t", "namespace": "web", "name": "search", "description": "d",
        "lifecycle": "available", "tool_kind": "web_search",
        "input_contract": { "schema": { "type": "object" } } });
    assert!(is_v01(old.as_object().unwrap()), "the first examples name no version");
    let (tool, mutation) = read::<ToolDeclaration>(old, mutation_id(), at(0)).unwrap();
    let contract = tool.input_contract.as_ref().unwrap().typed().unwrap();
    assert_eq!(contract.model_input_schema, Some(json!({ "type": "object" })));
    assert_eq!(mutation, None, "no input of a call was renamed");
}

#[test]
fn approval_events_become_permission_events() {
    for (old, new) in [
        ("tool.invocation.approval_requested", EventType::PermissionRequested),
        ("tool.invocation.approved", EventType::PermissionDecided),
        ("tool.invocation.started", EventType::InvocationStarted),
    ] {
        let event = json!({ "schema_version": "0.1.0", "event_id": "e", "event_type": old,
                            "source": "s", "time": "" });
        let (event, _) = read::<ToolEvent>(event, mutation_id(), at(0)).unwrap();
        assert_eq!(event.event_type, new);
    }
}

#[test]
fn two_names_for_one_thing_are_refused() {
    let mut both = old_call();
    both["model_input"] = json!({});
    let error = upgrade(RecordKind::ToolInvocation, both, mutation_id(), at(0)).unwrap_err();
    assert_eq!(error.to_string(), "the record has both `arguments` and `model_input`");
}

#[test]
fn what_is_no_object_is_refused() {
    for kind in RecordKind::ALL {
        let error = upgrade(*kind, json!([1]), mutation_id(), at(0)).unwrap_err();
        assert!(matches!(error, UpgradeError::NotAnObject), "{kind}");
    }
}

#[test]
fn versions_are_distinguished() {
    for (version, old) in [
        ("0.1", true),
        ("0.1.0", true),
        ("0.1.1", true),
        ("0.10.0", false),
        ("0.2.0", false),
        ("", false),
    ] {
        let record = json!({ "schema_version": version });
        assert_eq!(is_v01(record.as_object().unwrap()), old, "{version}");
    }
    assert!(!is_v01(json!({ "schema_version": 1 }).as_object().unwrap()));
}

#[test]
fn records_without_a_version_of_their_own_get_none() {
    for kind in RecordKind::ALL.iter().filter(|kind| !kind.is_versioned()) {
        let record = json!({ "error_class": "timeout", "source": "mcp" });
        let upgraded = upgrade(*kind, record.clone(), mutation_id(), at(0)).unwrap();
        assert_eq!(upgraded.record, record, "{kind}");
    }
    let contract = |fields: Value| {
        upgrade(RecordKind::ToolInputContract, fields, mutation_id(), at(0)).unwrap().record
    };
    assert_eq!(contract(json!({ "schema": true })), json!({ "model_input_schema": true }));
    let present = json!({ "schema": 1, "model_input_schema": true });
    assert_eq!(contract(present.clone()), present, "a name of somebody else's");
}

proptest! {
    #[test]
    fn records_of_the_present_version_stay_as_they_are(kind in 0..RecordKind::ALL.len(), seed: u64) {
        let kind = RecordKind::ALL[kind];
        if let Some(schema) = published(kind) {
            let mut record = foreign::record(&schema, &mut Gen(seed));
            record["schema_version"] = "0.2.0".into();
            record["arguments"] = 1.into();
            let upgraded = upgrade(kind, record.clone(), mutation_id(), at(0)).unwrap();
            prop_assert_eq!((upgraded.record, upgraded.mutation), (record, None));
        }
    }

    /// Item 175.
    #[test]
    fn old_records_that_were_valid_stay_valid(kind in 0..RecordKind::ALL.len(), seed: u64) {
        let kind = RecordKind::ALL[kind];
        if let Some(schema) = published(kind) {
            let mut record = foreign::record(&schema, &mut Gen(seed));
            record["schema_version"] = "0.1.0".into();
            if let Ok(upgraded) = upgrade(kind, record, mutation_id(), at(0)) {
                assert_valid(&validator(kind).unwrap(), &upgraded.record);
                prop_assert!(!is_v01(upgraded.record.as_object().unwrap()));
            }
        }
    }
}
