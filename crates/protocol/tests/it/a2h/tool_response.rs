//! Answers in the three published vocabularies.

use assent_protocol::{
    a2h::{DeniedReason, ToolErrorCode, ToolErrorReason, ToolOutcome, ToolResponse},
    wire::{Open, Timestamp},
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{at, id, json::Gen};

/// The answer with these fields, in each of the four places where they may stand.
fn spellings(fields: &Value) -> [Value; 4] {
    let with = |name: &str| {
        let mut fields = fields.clone();
        fields[name] = "tool_response".into();
        fields["call_id"] = "c1".into();
        fields
    };
    let mut payload = fields.clone();
    payload["call_id"] = "c1".into();
    [
        json!({ "type": "artifact", "artifact": with("subtype") }),
        json!({ "type": "artifact_response", "artifact": with("subtype") }),
        json!({ "type": "artifact_response", "payload": with("ref_artifact_subtype") }),
        json!({ "artifact": { "artifact_id": "a", "subtype": "tool_response", "payload": payload } }),
    ]
}

/// All spellings read as `outcome`.
#[track_caller]
fn reads(fields: &Value, outcome: &ToolOutcome) {
    for message in spellings(fields) {
        let read: ToolResponse = serde_json::from_value(message.clone()).unwrap();
        assert_eq!((read.call_id.as_str(), &read.outcome), ("c1", outcome), "{message}");
    }
}

fn written(outcome: ToolOutcome) -> Value {
    let message = serde_json::to_value(ToolResponse::new(id("c1"), outcome)).unwrap();
    assert_eq!(message["type"], "artifact");
    let mut fields = message["artifact"].clone();
    let map = fields.as_object_mut().unwrap();
    assert_eq!(map.remove("subtype").unwrap(), "tool_response");
    assert_eq!(map.remove("call_id").unwrap(), "c1");
    fields
}

fn error(code: ToolErrorCode, reason: &str) -> ToolOutcome {
    ToolOutcome::Error { code: code.into(), reason: Open::read(reason) }
}

#[test]
fn a_good_answer_carries_its_result() {
    let fields = json!({ "status": "ok", "result": { "content": "…" } });
    let outcome = ToolOutcome::Ok { result: json!({ "content": "…" }) };
    reads(&fields, &outcome);
    assert_eq!(written(outcome), fields);
    reads(&json!({ "status": "ok" }), &ToolOutcome::Ok { result: Value::Null });
}

#[test]
fn every_listed_reason_is_read_and_written() {
    for reason in DeniedReason::ALL {
        let fields = json!({ "status": "denied", "reason": reason.as_str() });
        let outcome = ToolOutcome::Denied { reason: (*reason).into() };
        reads(&fields, &outcome);
        assert_eq!(written(outcome), fields);
    }
    assert_eq!(DeniedReason::ALL.len(), 6);
}

#[test]
fn user_rejected_is_another_word_for_user_refused() {
    let outcome = ToolOutcome::Denied { reason: DeniedReason::UserRefused.into() };
    reads(&json!({ "status": "denied", "reason": "user_rejected" }), &outcome);
    assert_eq!(written(outcome)["reason"], "user_refused");
}

#[test]
fn an_unknown_reason_survives_and_a_missing_one_is_still_a_refusal() {
    let fields = json!({ "status": "denied", "reason": "quota_used_up" });
    let outcome = ToolOutcome::Denied { reason: Open::read("quota_used_up") };
    reads(&fields, &outcome);
    assert_eq!(written(outcome), fields);
    let silent = ToolOutcome::Denied { reason: Open::read("") };
    reads(&json!({ "status": "denied" }), &silent);
    reads(&json!({ "status": "denied", "reason": null }), &silent);
}

#[test]
fn an_error_always_has_a_code_and_a_reason() {
    for code in ToolErrorCode::ALL {
        let assumed = ToolOutcome::Error { code: (*code).into(), reason: code.default_reason() };
        reads(&json!({ "status": "error", "error_code": code.as_str() }), &assumed);
        reads(&json!({ "status": "error", "reason": code.as_str() }), &assumed);
        let fields = written(assumed);
        assert_eq!(fields["error_code"], code.as_str());
        assert_ne!(fields["reason"], "");
    }
    let bare = error(ToolErrorCode::PlatformError, "execution_failed");
    reads(&json!({ "status": "error" }), &bare);
    reads(&json!({ "status": "error", "reason": "" }), &bare);
    let unavailable = error(ToolErrorCode::Unavailable, "capability_gap");
    reads(
        &json!({ "status": "error", "error_code": "TOOL_UNAVAILABLE", "reason": "" }),
        &unavailable,
    );
    let other =
        ToolOutcome::Error { code: Open::read("TOOL_ON_FIRE"), reason: Open::read("smoke") };
    reads(&json!({ "status": "error", "error_code": "TOOL_ON_FIRE", "reason": "smoke" }), &other);
    let text = error(ToolErrorCode::PlatformError, "network down");
    reads(&json!({ "status": "error", "reason": "network down" }), &text);
}

#[test]
fn a_timeout_is_a_platform_error_with_a_reason() {
    let outcome = ToolOutcome::timed_out();
    reads(&json!({ "status": "error", "reason": "tool_timeout" }), &outcome);
    let fields =
        json!({ "status": "error", "error_code": "TOOL_PLATFORM_ERROR", "reason": "tool_timeout" });
    assert_eq!(written(outcome), fields);
    let mismatch = error(ToolErrorCode::InvalidArguments, "scope_mismatch");
    let known = ToolErrorReason::ScopeMismatch;
    assert_eq!(
        mismatch,
        ToolOutcome::Error { code: ToolErrorCode::InvalidArguments.into(), reason: known.into() }
    );
}

#[test]
fn a_parked_call_is_pending_until_some_time() {
    let until: Timestamp = at(0);
    let fields = json!({ "status": "pending", "pending_until": until.as_str() });
    let outcome = ToolOutcome::Pending { until: Some(until) };
    reads(&fields, &outcome);
    assert!(!outcome.is_final() && ToolOutcome::timed_out().is_final());
    assert_eq!(written(outcome), fields);
}

#[test]
fn an_unknown_status_is_refused() {
    for message in spellings(&json!({ "status": "done" })) {
        assert!(serde_json::from_value::<ToolResponse>(message).is_err());
    }
}

proptest! {
    #[test]
    fn whatever_is_read_reads_the_same_after_writing(seed: u64, place in 0..4_usize) {
        let mut g = Gen(seed);
        let status = ["ok", "denied", "error", "pending"][g.index(4)];
        let mut fields = json!({ "status": status });
        for name in ["reason", "error_code", "result", "pending_until", "x_more"] {
            if g.one_in(2) {
                fields[name] = if name == "result" { g.value(3) } else { Value::String(g.text()) };
            }
        }
        let message = spellings(&fields)[place].clone();
        let first: ToolResponse = serde_json::from_value(message).unwrap();
        let again = serde_json::to_value(&first).unwrap();
        prop_assert_eq!(serde_json::from_value::<ToolResponse>(again).unwrap(), first);
    }

    #[test]
    fn reading_never_panics(seed: u64) {
        let value = Gen(seed).value(4);
        let _ = ToolResponse::try_from(value);
    }
}
