//! What is read, what is refused, what is kept.

use assent_ids::{InterfaceId, ToolId};
use assent_protocol::{agent_tool::*, wire::Open};
use serde_json::{Value, json};

use crate::support::id;

fn progress(change: impl FnOnce(&mut Value)) -> Result<ToolProgress, serde_json::Error> {
    let mut record = json!({
        "schema_version": "0.2.0", "progress_id": "", "invocation_id": "i", "sequence": 1,
        "status": "running", "timestamp": "whenever",
    });
    change(&mut record);
    serde_json::from_value(record)
}

#[test]
fn whole_numbers_may_be_written_as_floats() {
    let record = progress(|r| r["sequence"] = json!(3.0)).unwrap();
    assert_eq!(record.sequence.0, 3);
    assert!(serde_json::to_string(&record).unwrap().contains("\"sequence\":3,"));
    let text = r#"{"schema_version":"","progress_id":"","invocation_id":"","sequence":1e3,"status":"","timestamp":""}"#;
    assert_eq!(serde_json::from_str::<ToolProgress>(text).unwrap().sequence.0, 1000);
}

#[test]
fn numbers_that_are_not_counts_are_refused() {
    for bad in [json!(-1), json!(-1.0), json!(1.5), json!("1"), json!(null), json!(1e20)] {
        let error = progress(|r| r["sequence"] = bad.clone()).unwrap_err();
        assert!(error.to_string().contains("a whole number, zero or more"), "{bad}: {error}");
    }
    assert!(progress(|r| r["elapsed_ms"] = json!(-1)).is_err());
}

/// Item 133.
#[test]
fn percent_stays_within_its_bounds_and_as_it_was_written() {
    for bad in [json!(-0.1), json!(100.5), json!("50"), json!(null)] {
        assert!(progress(|r| r["percent"] = bad.clone()).is_err(), "{bad}");
    }
    for good in [json!(0), json!(100), json!(12.5), json!(50.0)] {
        let record = progress(|r| r["percent"] = good.clone()).unwrap();
        assert_eq!(serde_json::to_value(record).unwrap()["percent"], good);
    }
}

#[test]
fn a_null_is_a_value_only_where_any_value_is() {
    assert!(progress(|r| r["message"] = Value::Null).is_err());
    assert!(progress(|r| r["artifact_refs"] = Value::Null).is_err());
    let call: ToolInvocation = serde_json::from_value(json!({
        "schema_version": "0.2.0", "invocation_id": "i", "tool_id": "t", "status": "planned",
        "created_at": "", "model_input": null,
    }))
    .unwrap();
    assert_eq!(call.model_input, Some(Value::Null));
    assert_eq!(serde_json::to_value(call).unwrap()["model_input"], Value::Null);
}

#[test]
fn words_of_closed_vocabularies_are_checked() {
    let decision = |behavior: &str| {
        serde_json::from_value::<ToolPermissionDecision>(json!({
            "schema_version": "0.2.0", "decision_id": "d", "invocation_id": "i",
            "behavior": behavior, "decided_at": "",
        }))
    };
    assert!(decision("passthrough").is_ok());
    let error = decision("maybe").unwrap_err().to_string();
    assert_eq!(error, "`maybe` is none of allow, ask, deny, passthrough");
    assert!(decision("Allow").is_err());
}

#[test]
fn words_of_open_vocabularies_are_kept() {
    let record = progress(|r| r["status"] = json!("thinking")).unwrap();
    assert_eq!((record.status.as_str(), record.status.known()), ("thinking", None));
    assert_eq!(progress(|_| {}).unwrap().status, ProgressStatus::Running);
    assert!(progress(|r| r["status"] = json!(3)).is_err());
}

#[test]
fn an_unlisted_word_never_hides_a_listed_one() {
    let word: Open<ToolKind> = Open::read("function");
    assert_eq!(word, Open::Known(ToolKind::Function));
}

#[test]
fn flags_are_booleans_or_one_of_two_forms() {
    let expression =
        |text: &str| Flag::Text(text.to_owned()).expression().map(|e| format!("{e:?}"));
    assert_eq!(Flag::from(true).expression(), None);
    assert_eq!(expression("classifier:read_only").unwrap(), "Classifier(\"read_only\")");
    assert_eq!(expression("same_as:is_read_only").unwrap(), "SameAs(IsReadOnly)");
    for bad in ["", "yes", "classifier:", "same_as:is_nice", "same_as", "Classifier:x"] {
        assert_eq!(expression(bad).unwrap(), "Unreadable", "{bad}");
    }
    let mut interface = ToolInterface::new(id::<InterfaceId>("if"), id::<ToolId>("t"));
    interface.is_read_only = Some(Flag::from(true));
    let json = serde_json::to_value(&interface).unwrap();
    assert_eq!(json["is_read_only"], json!(true));
}

#[test]
fn embedded_tools_inherit_the_version_of_their_surface() {
    let surface: ToolSurface = serde_json::from_value(json!({
        "schema_version": "0.2.0", "surface_id": "surface_turn_42", "scope": "turn",
        "loaded_tools": ["tool_search", 5],
        "deferred_tools": [{ "tool_id": "mcp.github.search_issues", "name": "search_issues",
                             "loading_state": "discoverable" }],
    }))
    .unwrap();
    let loaded = surface.loaded_tools.unwrap();
    assert_eq!(loaded[0].tool_id(), Some("tool_search"));
    assert_eq!(loaded[1], SurfaceEntry::Raw(json!(5)));
    let entry = &surface.deferred_tools.unwrap()[0];
    let deferred = entry.deferred_ref("0.2.0").unwrap();
    assert_eq!(
        (&*deferred.schema_version, entry.tool_id()),
        ("0.2.0", Some(deferred.tool_id.as_str()))
    );
    assert_eq!(entry.declaration("0.2.0"), None);
}

#[test]
fn retry_after_is_read_in_every_form_and_written_in_seconds() {
    let read = |value: Value| serde_json::from_value::<RetryAfter>(value).unwrap();
    let now: jiff::Timestamp = "2026-05-08T00:00:00Z".parse().unwrap();
    let wait = |value: Value| read(value).wait(now).map(|wait| wait.as_secs_f64());
    assert_eq!(wait(json!(30)), Some(30.0));
    assert_eq!(wait(json!(30.0)), Some(30.0));
    assert_eq!(wait(json!(1.5)), Some(1.5));
    assert_eq!(wait(json!("2026-05-08T00:01:00Z")), Some(60.0));
    assert_eq!(wait(json!("2026-05-07T00:00:00Z")), Some(0.0), "a time that has passed");
    for unclear in [json!(null), json!("soon"), json!(-1)] {
        assert_eq!(wait(unclear.clone()), None, "{unclear}");
        assert_eq!(serde_json::to_value(read(unclear.clone())).unwrap(), unclear);
    }
    let written = RetryAfter::from(std::time::Duration::from_millis(1_200));
    assert_eq!(serde_json::to_value(written).unwrap(), json!(2));
}

#[test]
fn a_value_of_another_shape_is_kept_but_not_taken_for_ours() {
    let result: ToolResult = serde_json::from_value(json!({
        "schema_version": "0.2.0", "result_id": "r", "invocation_id": "i", "status": "failed",
        "created_at": "", "error": { "code": 7 }, "synthetic": "yes",
    }))
    .unwrap();
    assert_eq!(result.error.as_ref().unwrap().typed(), None);
    assert_eq!(result.synthetic.as_ref().unwrap().typed(), None);
    let wrong = json!({ "schema_version": "0.2.0", "result_id": "r", "invocation_id": "i",
        "status": "failed", "created_at": "", "error": "boom" });
    assert!(serde_json::from_value::<ToolResult>(wrong).is_err(), "the schema asks for an object");
}

#[test]
fn a_cloud_event_has_the_fields_under_their_own_names() {
    let event: ToolEvent = serde_json::from_value(json!({
        "schema_version": "0.2.0", "event_id": "evt_1", "event_type": "tool.result.created",
        "source": "assent", "time": "2026-05-08T00:00:00Z", "invocation_id": "inv_1",
        "data": { "sequence": 4.0 },
    }))
    .unwrap();
    assert_eq!(event.sequence(), Some(4));
    let expected = json!({
        "specversion": "1.0", "id": "evt_1", "type": "tool.result.created", "source": "assent",
        "time": "2026-05-08T00:00:00Z", "invocationid": "inv_1", "schemaversion": "0.2.0",
        "datacontenttype": "application/json", "data": { "sequence": 4.0 },
    });
    let projected = CloudEvent::from(&event);
    assert_eq!(serde_json::to_value(&projected).unwrap(), expected);
    assert_eq!(serde_json::from_value::<CloudEvent>(expected).unwrap(), projected);
}
