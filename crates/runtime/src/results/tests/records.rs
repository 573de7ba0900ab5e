//! Every end of a call becomes a record that keeps the rules.

use assent_ids::ArtifactId;
use assent_json::Json;
use assent_protocol::agent_tool::{
    Abort, AbortOutcome, AbortReason, ArtifactRef, Cause, ErrorClass, MutationNote, ResourceRef,
    ResultStatus, TerminalStatus, strict::Strict,
};
use serde_json::json;

use super::{draft, persisted};
use crate::{
    executor::Body,
    results::{ErrorDraft, PersistencePolicy},
};

const ENDS: [TerminalStatus; 8] = [
    TerminalStatus::SchemaParseFailed,
    TerminalStatus::ValidationFailed,
    TerminalStatus::Denied,
    TerminalStatus::Blocked,
    TerminalStatus::Succeeded,
    TerminalStatus::Failed,
    TerminalStatus::Canceled,
    TerminalStatus::TimedOut,
];

fn aborts() -> Vec<Option<Abort>> {
    let outcomes = [
        AbortOutcome::NeverStarted,
        AbortOutcome::Unacknowledged,
        AbortOutcome::Acknowledged,
        AbortOutcome::Discarded,
    ];
    let of = |reason: AbortReason| outcomes.map(|outcome| Some(Abort { reason, outcome }));
    std::iter::once(None).chain(AbortReason::ALL.iter().flat_map(|reason| of(*reason))).collect()
}

/// Item 142.
#[test]
fn every_end_has_a_record_that_keeps_the_strict_rules() {
    let classes = ErrorClass::ALL.iter().copied().map(Some).chain([None]);
    for class in classes {
        for abort in aborts() {
            for end in ENDS {
                let mut draft = draft(end);
                draft.cause = Cause { class, abort, ..Cause::default() };
                let result = draft.assemble();
                assert_eq!(result.problems(), [], "{end:?} {class:?} {abort:?}");
                if end != TerminalStatus::Succeeded {
                    assert_eq!(result.is_error, Some(true));
                    let error = result.error.as_ref().unwrap().typed().unwrap();
                    assert!(error.error_class.known().is_some());
                    assert_eq!(result.model_facing_content.unwrap().len(), 1);
                }
            }
        }
    }
}

/// Item 55.
#[test]
fn the_result_names_the_sources_of_changes() {
    let mut draft = draft(TerminalStatus::Succeeded);
    let note = json!({"mutation_id": "m", "source_type": "hook", "changed_fields": ["/path"]});
    let note: MutationNote = serde_json::from_value(note).unwrap();
    draft.mutations = vec![note.clone()];
    let result = draft.assemble();
    assert_eq!(result.input_mutations.unwrap().typed(), Some(&vec![note]));
}

/// Items 32, 157.
#[test]
fn what_people_are_shown_never_changes_the_content() {
    let make = |ui_summary: Option<&str>, title: &str| {
        let mut draft = draft(TerminalStatus::Succeeded);
        draft.delivered =
            Some(persisted(Body::Text("hello".into()), &PersistencePolicy::default()));
        draft.ui_summary = ui_summary.map(str::to_owned);
        draft.title = title.to_owned();
        draft.assemble()
    };
    let (mut plain, mut hinted) = (make(None, "Greet"), make(Some("<b>Hi</b>"), ""));
    assert_eq!(plain.ui_facing_summary.take().as_deref(), Some("Greet: done"));
    assert_eq!(hinted.ui_facing_summary.take().as_deref(), Some("<b>Hi</b>"));
    assert_eq!(plain, hinted);
    assert_eq!(plain.summary.as_deref(), Some("a text of 5 characters"));
}

#[test]
fn parts_that_failed_make_a_success_partial() {
    let mut draft = draft(TerminalStatus::Succeeded);
    draft.delivered = Some(persisted(Body::Text("2 of 3".into()), &PersistencePolicy::default()));
    draft.partial_failures = vec![ErrorDraft::new(ErrorClass::DependencyUnavailable, "the third")];
    draft.warnings = vec![ErrorDraft::new(ErrorClass::PostHookFailed, "")];
    let result = draft.assemble();
    assert_eq!(result.problems(), []);
    assert_eq!(result.status, ResultStatus::PartialSucceeded);
    assert_eq!(result.is_error, Some(false));
    assert_eq!(result.warnings.unwrap().typed().unwrap().len(), 2);
}

#[test]
fn an_error_of_a_call_that_worked_is_a_warning() {
    let mut draft = draft(TerminalStatus::Succeeded);
    draft.error = Some(ErrorDraft::new(ErrorClass::PostHookFailed, "late"));
    let result = draft.assemble();
    assert_eq!(result.problems(), []);
    assert_eq!(result.error, None);
    let warnings = result.warnings.unwrap();
    assert_eq!(warnings.typed().unwrap().first().unwrap().message.as_deref(), Some("late"));
}

/// Item 146.
#[test]
fn references_say_where_they_come_from_and_nameless_ones_are_left_out() {
    let mut draft = draft(TerminalStatus::Succeeded);
    let artifact_id: ArtifactId = "report".parse().unwrap();
    let nameless: ArtifactRef = serde_json::from_value(json!({"artifact_id": ""})).unwrap();
    draft.artifacts = vec![ArtifactRef::new(&artifact_id), nameless];
    draft.resources = vec![ResourceRef::new("file:///a"), ResourceRef::new("")];
    let relation = format!("created_by:{}", draft.invocation_id);
    let result = draft.assemble();
    assert_eq!(result.problems(), []);
    let result = serde_json::to_value(result).unwrap();
    assert_eq!(
        result["artifact_refs"],
        json!([{"artifact_id": "report", "source_relation": relation}])
    );
    assert_eq!(result["resource_refs"], json!([{"uri": "file:///a", "source_relation": relation}]));
    assert_eq!(result["warnings"].as_array().unwrap().len(), 1);
}

/// Item 145.
#[test]
fn structured_content_is_handed_on() {
    let json = Json::read(r#"{"n": 1}"#).unwrap();
    let mut draft = draft(TerminalStatus::Succeeded);
    let digest = assent_json::Digest::of(json.text().as_bytes());
    draft.delivered = Some(persisted(Body::Structured(json), &PersistencePolicy::default()));
    let result = serde_json::to_value(draft.assemble()).unwrap();
    assert_eq!(result["structured_content"], json!({"n": 1}));
    assert_eq!(result["content"], json!([{"type": "text", "text": "{\"n\": 1}"}]));
    assert_eq!(result["content_digest"], format!("sha256:{digest}"));
    assert_eq!(result["persistence_refs"].as_array().unwrap().len(), 1);
}

/// Item 156.
#[test]
fn the_native_output_can_be_found_again() {
    let large = || Some(persisted(Body::Text("x".repeat(60_000)), &PersistencePolicy::default()));
    let mut stored = draft(TerminalStatus::Succeeded);
    stored.delivered = large();
    let stored = serde_json::to_value(stored.assemble()).unwrap();
    assert!(stored["native_output_ref"].as_str().unwrap().starts_with("blob:sha256:"));
    let mut named = draft(TerminalStatus::Succeeded);
    named.delivered = large();
    named.native_output_ref = Some("mcp:result/7".into());
    let named = serde_json::to_value(named.assemble()).unwrap();
    assert_eq!(named["native_output_ref"], "mcp:result/7");
}
