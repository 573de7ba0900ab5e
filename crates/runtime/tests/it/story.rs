//! The contents of a journal as records of the standard.

use assent_ids::InvocationId;
use assent_journal::{RecordLines, explain};
use assent_runtime::CallResult;
use serde_json::Value;

use crate::desk::Desk;

/// Every record that follows from a desk's journal, in order: its kind, then the record.
pub async fn records(desk: &Desk) -> Vec<(String, Value)> {
    let (mut lines, mut out) = (RecordLines::default(), Vec::new());
    for entry in desk.entries().await {
        lines.write(&entry, &mut out).unwrap();
    }
    let line = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        (line["record"].as_str().unwrap().to_owned(), line["data"].take())
    };
    String::from_utf8(out).unwrap().lines().map(line).collect()
}

/// All records of one kind.
pub async fn of_kind(desk: &Desk, kind: &str) -> Vec<Value> {
    let all = records(desk).await.into_iter();
    all.filter_map(|(found, record)| (found == kind).then_some(record)).collect()
}

/// The classes of all events that belong to a call, in order.
pub async fn events(desk: &Desk) -> Vec<String> {
    let of_calls = of_kind(desk, "tool_event").await.into_iter();
    of_calls
        .filter(|event| event.get("invocation_id").is_some())
        .map(|event| event["event_type"].as_str().unwrap().to_owned())
        .collect()
}

/// The record of the only call.
pub async fn invocation(desk: &Desk) -> Value {
    let mut all = of_kind(desk, "tool_invocation").await;
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// The states that a call was in, from its record.
pub fn path(invocation: &Value) -> Vec<&str> {
    let steps = invocation["status_transitions"].as_array().unwrap().iter();
    steps.map(|step| step["status"].as_str().unwrap()).collect()
}

/// Why a call was allowed or refused, in words, from the journal alone.
pub async fn explanation(desk: &Desk, invocation: InvocationId) -> String {
    let entries = desk.entries().await;
    let of_call = entries.iter().filter(|entry| entry.draft.invocation == Some(invocation));
    explain(of_call.map(|entry| &**entry)).unwrap().to_string()
}

/// A result as it is written.
pub fn as_value(result: &CallResult) -> Value {
    serde_json::to_value(&**result).unwrap()
}
