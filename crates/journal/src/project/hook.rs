//! Runs of hooks.

use assent_ids::HookRunId;
use assent_protocol::agent_tool::{ErrorClass, EventType, HookEvent, ToolHook};
use serde_json::Value;

use super::{
    ProjectedRecord,
    event::{EventMaker, optional, text},
    open_call::OpenCall,
};
use crate::{HookFailed, HookRan, HookStarted};

pub(super) fn started<'r>(hook: &HookStarted, events: &EventMaker<'_>) -> ProjectedRecord<'r> {
    let kind = if is_before_the_call(hook.event) {
        EventType::HookPreStarted
    } else {
        EventType::HookPostStarted
    };
    events.event(kind, about(hook.run, hook.hook.as_str(), hook.event))
}

pub(super) fn ran<'r>(
    hook: &HookRan,
    known: &OpenCall,
    events: &EventMaker<'_>,
) -> Vec<ProjectedRecord<'r>> {
    let kind = if is_before_the_call(hook.event) {
        EventType::HookPreCompleted
    } else {
        EventType::HookPostCompleted
    };
    let record = match &hook.said {
        Some(said) => (**said).clone(),
        None => ToolHook::new(&hook.hook, hook.event),
    };
    let record = complete(record, hook.run, known, events);
    let verdict = record.permission_result.as_ref().and_then(|verdict| verdict.typed());
    let data = about(hook.run, hook.hook.as_str(), hook.event).into_iter().chain([
        ("behavior", optional(verdict.map(|verdict| verdict.behavior))),
        ("changed_input", given(record.updated_input.as_ref())),
        ("changed_output", given(record.updated_output.as_ref())),
        ("stopped", given(record.stop.as_ref())),
    ]);
    let event = events.event(kind, data);
    vec![Box::new(record).into(), event]
}

/// The record of a hook that failed. The standard has no fields for that, so it uses our own.
pub(super) fn failed<'r>(
    hook: &HookFailed,
    known: &OpenCall,
    events: &EventMaker<'_>,
) -> Vec<ProjectedRecord<'r>> {
    let mut record = ToolHook::new(&hook.hook, hook.event);
    record.extra.insert("error_class".to_owned(), text(class(hook.event)));
    record.extra.insert("message".to_owned(), text(&hook.message));
    record.extra.insert("ended_the_call".to_owned(), hook.closed.into());
    let record = complete(record, hook.run, known, events);
    let data = about(hook.run, hook.hook.as_str(), hook.event)
        .into_iter()
        .chain([("error_class", text(class(hook.event))), ("ended_the_call", hook.closed.into())]);
    vec![Box::new(record).into(), events.event(EventType::HookFailed, data)]
}

/// Adds what the journal knows and the record of the run leaves out.
fn complete(
    mut record: ToolHook,
    run: HookRunId,
    known: &OpenCall,
    events: &EventMaker<'_>,
) -> ToolHook {
    let at = events.at();
    let began = known.hooks.get(&run).copied().unwrap_or(at);
    record.hook_run_id.get_or_insert_with(|| assent_ids::Lax::from(run).into());
    record.started_at.get_or_insert_with(|| began.into());
    record.ended_at.get_or_insert_with(|| at.into());
    if record.invocation_id.is_none() {
        record.invocation_id = events.invocation().map(Into::into);
    }
    if record.tool_id.is_none() {
        record.tool_id = known.tool.as_ref().map(|tool| (&**tool).into());
    }
    record
}

fn about(run: HookRunId, hook: &str, event: HookEvent) -> [(&'static str, Value); 3] {
    [("hook_run_id", text(run)), ("hook_id", text(hook)), ("hook_event", text(event))]
}

/// `true` if the value is present, without the value itself.
fn given<T>(value: Option<&T>) -> Value {
    value.map_or(Value::Null, |_| Value::Bool(true))
}

/// The standard has events for hooks before and after the call, and hooks for more than these two.
fn is_before_the_call(event: HookEvent) -> bool {
    match event {
        HookEvent::PreToolUse | HookEvent::PermissionRequest | HookEvent::PermissionDecision => {
            true
        }
        HookEvent::PostToolUse | HookEvent::PostToolUseFailure | HookEvent::ResultPersistence => {
            false
        }
    }
}

fn class(event: HookEvent) -> ErrorClass {
    if is_before_the_call(event) { ErrorClass::HookFailed } else { ErrorClass::PostHookFailed }
}
