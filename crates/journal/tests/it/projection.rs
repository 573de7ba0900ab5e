//! Records that follow from facts.

use std::collections::{BTreeMap, BTreeSet};

use assent_journal::{
    Draft, Entry, Fact, ProjectedRecord, Projector, Seq, cloud_events,
    conformance::sample::{allowed_call, call, catalog, denied_call, every_fact},
};
use assent_protocol::agent_tool::{EventType, RecordKind, ToolEvent};

use crate::support::{Schemas, entries};

/// The records of `drafts`, by kind, in order.
fn kinds(drafts: Vec<Draft>) -> Vec<String> {
    let entries = entries(drafts);
    let mut projector = Projector::new();
    let mut found = Vec::new();
    for entry in &entries {
        for record in projector.project(entry) {
            found.push(match &record {
                ProjectedRecord::Event(event) => event.event_type.to_string(),
                other => other.kind().to_string(),
            });
        }
    }
    found
}

fn events(drafts: Vec<Draft>) -> Vec<ToolEvent> {
    let entries = entries(drafts);
    let mut projector = Projector::new();
    let mut found = Vec::new();
    for entry in &entries {
        for record in projector.project(entry) {
            if let ProjectedRecord::Event(event) = record {
                found.push((*event).clone());
            }
        }
    }
    found
}

fn everything() -> Vec<Draft> {
    let mut drafts = catalog();
    drafts.extend(every_fact(100));
    drafts.extend(allowed_call(200));
    drafts.extend(denied_call(300));
    drafts
}

#[test]
fn an_allowed_call_leaves_these_records_in_this_order() {
    assert_eq!(
        kinds(allowed_call(1)),
        [
            "tool.invocation.planned",
            "tool.invocation.selected",
            "tool.invocation.arguments_ready",
            "tool_permission_decision",
            "tool.permission.decided",
            "tool.invocation.queued",
            "tool.invocation.started",
            "tool.invocation.yielded",
            "tool_result",
            "tool.result.created",
            "tool.invocation.succeeded",
            "tool_invocation",
        ]
    );
}

#[test]
fn a_call_to_which_everything_happens_leaves_these_records_in_this_order() {
    assert_eq!(
        kinds(every_fact(1)),
        [
            "tool.invocation.planned",
            "tool.invocation.selected",
            "tool.invocation.arguments_ready",
            "tool.hook.pre.started",
            "tool_hook",
            "tool.hook.pre.completed",
            "tool_input_mutation",
            "tool.input.mutated",
            "tool.hook.pre.started",
            "tool_hook",
            "tool.hook.failed",
            "tool_permission_decision",
            "tool.permission.decided",
            "tool.permission.requested",
            "tool_permission_decision",
            "tool.permission.decided",
            "tool.invocation.queued",
            "tool.invocation.started",
            "tool_progress",
            "tool.invocation.progress",
            "tool.invocation.partial_result",
            "tool.invocation.needs_input",
            "tool.invocation.cancel_requested",
            "tool.invocation.cancel_acknowledged",
            "tool.invocation.cancel_failed",
            "tool.hook.post.started",
            "tool_hook",
            "tool.hook.post.completed",
            "tool_input_mutation",
            "tool.input.mutated",
            "tool.hook.post.started",
            "tool_hook",
            "tool.hook.failed",
            "tool_result_persistence",
            "tool.result.persisted",
            "tool.result.redacted",
            "tool.invocation.yielded",
            "tool_result",
            "tool.result.created",
            "tool.invocation.succeeded",
            "tool_invocation",
        ]
    );
}

#[test]
fn the_catalog_leaves_these_records_in_this_order() {
    assert_eq!(
        kinds(catalog()),
        [
            "tool_declaration",
            "tool.declared",
            "tool_interface",
            "tool_execution_profile",
            "tool_permission_profile",
            "tool_scheduler_policy",
            "tool_hook",
            "tool_search_result",
            "tool_surface",
            "tool.surface.created",
            "tool_surface",
            "tool.surface.updated",
            "deferred_tool_ref",
            "tool.deferred.loaded",
            "deferred_tool_ref",
            "tool.deferred.discovered",
            "deferred_tool_ref",
            "tool.deferred.discovered",
            "deferred_tool_ref",
            "deferred_tool_ref",
        ]
    );
}

#[test]
fn every_state_that_can_end_a_call_has_an_event() {
    use assent_protocol::agent_tool::InvocationStatus;
    for status in InvocationStatus::ALL.iter().filter(|status| status.is_terminal()) {
        let draft = Draft {
            at: assent_ids::UnixMillis::new(1),
            invocation: Some(call(1)),
            step: 0,
            fact: Fact::Moved(*status),
        };
        let names: Vec<String> =
            events(vec![draft]).iter().map(|event| event.event_type.to_string()).collect();
        assert_eq!(names, [format!("tool.invocation.{status}")]);
    }
}

/// Items 79, 93, 99, 131, 140, 171.
#[test]
fn every_record_fits_its_published_schema_and_keeps_our_own_rules() {
    let entries = entries(everything());
    let (mut projector, mut schemas) = (Projector::new(), Schemas::default());
    let mut seen = BTreeSet::new();
    for entry in &entries {
        for record in projector.project(entry) {
            let data = serde_json::to_value(&record).unwrap();
            schemas.assert_valid(record.kind(), &data);
            assert_eq!(record.problems(), [], "{data:#}");
            seen.insert(record.kind());
        }
    }
    let with_schema = RecordKind::ALL.iter().filter(|kind| kind.published_schema().is_some());
    assert!(with_schema.clone().all(|kind| seen.contains(kind)), "{seen:?}");
}

#[test]
fn a_fact_makes_at_most_one_event_and_its_step_is_the_sequence() {
    let entries = entries(everything());
    let mut projector = Projector::new();
    for entry in &entries {
        let records = projector.project(entry);
        let events: Vec<_> = records
            .iter()
            .filter_map(|record| match record {
                ProjectedRecord::Event(event) => Some(event),
                _ => None,
            })
            .collect();
        assert!(events.len() <= 1);
        for event in events {
            let step = entry.draft.invocation.map(|_| u64::from(entry.draft.step));
            assert_eq!(event.sequence(), step);
            let call = entry.draft.invocation.map(|call| call.to_string());
            assert_eq!(event.invocation_id.as_ref().map(ToString::to_string), call);
        }
    }
}

/// Item 106.
#[test]
fn the_result_is_recorded_before_the_end_and_a_call_once() {
    let mut calls = BTreeMap::<_, Vec<EventType>>::new();
    for event in events(everything()) {
        calls
            .entry(event.invocation_id.clone())
            .or_default()
            .push(event.event_type.known().unwrap());
    }
    calls.remove(&None);
    assert_eq!(calls.len(), 3);
    for events in calls.values() {
        let last_two = &events[events.len() - 2..];
        assert_eq!(last_two[0], EventType::ResultCreated);
        assert!(matches!(
            last_two[1],
            EventType::InvocationSucceeded | EventType::InvocationDenied
        ));
    }
    let invocations = kinds(everything()).iter().filter(|kind| *kind == "tool_invocation").count();
    assert_eq!(invocations, 3);
}

#[test]
fn ids_of_events_are_different_and_do_not_depend_on_where_calls_are_stored() {
    let all = events(everything());
    let ids: BTreeSet<_> = all.iter().map(|event| event.event_id.clone()).collect();
    assert_eq!(ids.len(), all.len());
    for event in &all {
        let id = event.event_id.strict().unwrap();
        let time = assent_ids::GeneratedId::time(id);
        assert_eq!(assent_protocol::wire::Timestamp::from(time), event.time);
    }
    let alone = events(allowed_call(200));
    assert!(alone.iter().all(|event| all.contains(event)));
}

/// Item 168.
#[test]
fn events_tell_no_value_of_an_input_or_a_result() {
    for event in events(every_fact(1)) {
        let text = serde_json::to_string(&event).unwrap();
        for value in ["notes.txt", "diary", "milk", "which line", "cannot be stopped"] {
            assert!(!text.contains(value), "{text}");
        }
    }
}

#[test]
fn events_come_from_the_named_source() {
    let entries = entries(allowed_call(1));
    let mut projector = Projector::with_source("somebody");
    let Some(ProjectedRecord::Event(event)) = projector.project(&entries[0]).pop() else {
        panic!("the first fact makes an event")
    };
    assert_eq!(event.source, "somebody");
}

/// Items 101, 102.
#[test]
fn the_record_of_a_call_has_everything_that_belongs_to_it() {
    let entries = entries(allowed_call(1));
    let mut projector = Projector::new();
    let records: Vec<_> = entries.iter().flat_map(|entry| projector.project(entry)).collect();
    let call = serde_json::to_value(records.last().unwrap()).unwrap();
    let states: Vec<&str> = call["status_transitions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["status"].as_str().unwrap())
        .collect();
    assert_eq!(states.first(), Some(&"planned"));
    assert_eq!(states.last(), Some(&"succeeded"));
    assert_eq!(call["model_input"]["path"], "notes.txt");
    assert_eq!(call["model_input_ref"], call["call_input_ref"]);
    assert!(call["model_input_ref"].as_str().unwrap().starts_with("sha256:"));
    assert_eq!(call["executed"], true);
    assert_eq!(call["native_call_id"], "call_1");
    assert_eq!(call["requested_name"], "read_file");
    assert_eq!(call["permission_decision_refs"].as_array().unwrap().len(), 1);
}

#[test]
fn events_can_be_had_as_cloud_events() {
    let entries = entries(everything());
    let tools = events(everything());
    let clouds: Vec<_> = cloud_events(entries.iter().map(|entry| &**entry)).collect();
    assert_eq!(clouds.len(), tools.len());
    for (cloud, tool) in clouds.iter().zip(&tools) {
        assert_eq!(cloud.specversion, "1.0");
        assert_eq!(cloud.id, tool.event_id.to_string());
        assert_eq!(cloud.event_type, tool.event_type.to_string());
    }
}

#[test]
fn a_projector_that_begins_in_the_middle_leaves_out_what_it_does_not_know() {
    let drafts = allowed_call(1).into_iter().skip(4);
    let late: Vec<Entry> =
        drafts.zip(5..).map(|(draft, seq)| Entry { seq: Seq(seq), draft }).collect();
    let mut projector = Projector::new();
    for record in late.iter().flat_map(|entry| projector.project(entry)).collect::<Vec<_>>() {
        assert_eq!(record.problems(), []);
    }
}
