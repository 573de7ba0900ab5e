//! Records about calls.

use assent_ids::UnixMillis;
use assent_protocol::{
    agent_tool::{
        Behavior, DecisionReason, EventType, InvocationStatus, ReasonType, ToolInputMutation,
        ToolPermissionDecision, ToolProgress, ToolResult, ToolResultPersistence,
    },
    wire::{Loose, Object},
};
use serde_json::{Value, json};

use super::{
    ProjectedRecord,
    event::{EventMaker, digest_ref, optional, text},
    event_of_state, hook, invocation,
    open_call::OpenCall,
};
use crate::{Asked, ClassifierNote, Decided, Fact, Mutated, Planned, RuleNote};

pub(super) fn project<'a>(
    fact: &'a Fact,
    known: &OpenCall,
    events: &EventMaker<'_>,
) -> Vec<ProjectedRecord<'a>> {
    match fact {
        Fact::Planned(planned) => vec![of_planned(planned, events)],
        Fact::Selected(selected) => {
            let definition = text(digest_ref(selected.definition));
            vec![events.event(EventType::InvocationSelected, [("definition", definition)])]
        }
        Fact::Moved(status) => of_state(*status, known, events).into_iter().collect(),
        Fact::Mutated(mutated) => mutation(mutated, events),
        Fact::HookStarted(hook) => vec![hook::started(hook, events)],
        Fact::HookRan(hook) => hook::ran(hook, known, events),
        Fact::HookFailed(hook) => hook::failed(hook, known, events),
        Fact::Asked(asked) => vec![of_asked(asked, events)],
        Fact::Decided(decided) => decision(decided, events),
        Fact::Progressed(progress) => vec![(&**progress).into(), of_progress(progress, events)],
        Fact::Partial(partial) => {
            let digest = text(digest_ref(partial.digest()));
            vec![events.event(EventType::InvocationPartialResult, [("digest", digest)])]
        }
        Fact::NeedsInput { .. } => vec![events.event(EventType::InvocationNeedsInput, [])],
        Fact::CancelRequested { reason } => {
            vec![events.event(EventType::CancelRequested, [("abort_reason", text(reason))])]
        }
        Fact::CancelAcknowledged => vec![events.event(EventType::CancelAcknowledged, [])],
        Fact::CancelFailed { .. } => vec![events.event(EventType::CancelFailed, [])],
        Fact::Persisted(stored) => vec![(&**stored).into(), of_persisted(stored, events)],
        Fact::Redacted { fields } => {
            vec![events.event(EventType::ResultRedacted, [("fields", json!(fields))])]
        }
        Fact::Resulted(result) => {
            vec![(&**result).into(), events.event(EventType::ResultCreated, outcome(result))]
        }
        Fact::Ended(ended) => invocation::project(ended, known, events),
        // The journal's own: the standard has no class for them.
        Fact::Retried { .. } | Fact::Completed(_) | Fact::Noted(_) => Vec::new(),
    }
}

fn of_planned<'r>(planned: &Planned, events: &EventMaker<'_>) -> ProjectedRecord<'r> {
    events.event(
        EventType::InvocationPlanned,
        [
            ("surface_id", text(planned.surface)),
            ("batch_id", optional(planned.batch)),
            ("retry_of", optional(planned.retry_of)),
            ("native_call_id", optional(planned.native_call_id.as_ref())),
            ("model_input_ref", text(digest_ref(planned.model_input.digest()))),
        ],
    )
}

fn of_state<'r>(
    status: InvocationStatus,
    known: &OpenCall,
    events: &EventMaker<'_>,
) -> Option<ProjectedRecord<'r>> {
    // A call starts once, however often it waits for input meanwhile.
    let again = status == InvocationStatus::Running && known.starts > 1;
    let kind = event_of_state(status).filter(|_| !again)?;
    let result = known.result.as_ref().filter(|_| status.is_terminal());
    let data = result.map(|result| outcome(result)).into_iter().flatten();
    Some(events.event(kind, data.chain([("status", text(status))])))
}

/// The data of an event about a result.
fn outcome(result: &ToolResult) -> [(&'static str, Value); 4] {
    let error = result.error.as_ref().and_then(|error| error.typed());
    let abort = error.and_then(|error| error.abort_reason.as_ref());
    [
        ("result_id", text(&result.result_id)),
        ("result_status", text(&result.status)),
        ("error_class", optional(error.map(|error| &error.error_class))),
        ("abort_reason", optional(abort)),
    ]
}

fn mutation<'r>(mutated: &Mutated, events: &EventMaker<'_>) -> Vec<ProjectedRecord<'r>> {
    let Some(invocation) = events.invocation() else { return Vec::new() };
    let mut record =
        ToolInputMutation::new(mutated.id, invocation, mutated.source, events.at().into());
    record.source_ref.clone_from(&mutated.source_ref);
    record.from_input_ref = Some(digest_ref(mutated.from));
    record.to_input_ref = Some(digest_ref(mutated.to));
    record.changed_fields = Some(mutated.changed.clone());
    record.reason.clone_from(&mutated.reason);
    let data = [
        ("mutation_id", text(mutated.id)),
        ("source_type", text(mutated.source)),
        ("source_ref", optional(mutated.source_ref.as_ref())),
        ("from_input_ref", text(digest_ref(mutated.from))),
        ("to_input_ref", text(digest_ref(mutated.to))),
        ("changed_fields", json!(mutated.changed)),
    ];
    vec![Box::new(record).into(), events.event(EventType::InputMutated, data)]
}

fn of_asked<'r>(asked: &Asked, events: &EventMaker<'_>) -> ProjectedRecord<'r> {
    let binding = &asked.binding;
    events.event(
        EventType::PermissionRequested,
        [
            ("prompt_id", text(asked.prompt)),
            ("approval_id", text(binding.approval)),
            ("arguments_ref", text(digest_ref(binding.arguments))),
            ("view_ref", text(digest_ref(binding.view))),
            ("expires_at", optional(asked.not_after.map(time).as_ref())),
        ],
    )
}

fn decision<'r>(decided: &Decided, events: &EventMaker<'_>) -> Vec<ProjectedRecord<'r>> {
    let Some(invocation) = events.invocation() else { return Vec::new() };
    let allows = decided.behavior == Behavior::Allow;
    let mut record =
        ToolPermissionDecision::new(decided.id, invocation, decided.behavior, events.at().into());
    record.mode = Some(decided.mode.to_string());
    record.source = decided.source.map(Into::into);
    record.reason = Some(Loose::Typed(reason(decided)));
    record.rule_refs = filled(decided.rules.iter().map(|rule| (&rule.id).into()));
    record.policy_refs = filled(decided.policies.iter().cloned());
    record.updated_input = decided.updated_input.as_ref().map(assent_json::Json::to_value);
    record.updated_input_ref =
        decided.updated_input.as_ref().map(|input| digest_ref(input.digest()));
    record.user_modified = decided.user_modified.then_some(true);
    record.suggested_updates = filled(decided.suggested.iter().cloned().map(Loose::Typed));
    record.accept_feedback = decided.feedback.clone().filter(|_| allows);
    record.expires_at = decided.expires_at.map(time);
    record.extra = extensions(decided, allows);
    let data = [
        ("decision_id", text(decided.id)),
        ("behavior", text(decided.behavior)),
        ("reason_type", text(decided.reason)),
        ("mode", text(&decided.mode)),
        ("source", optional(decided.source)),
        ("rule_ref", optional(decided.rules.first().map(|rule| &rule.id))),
        ("approval_id", optional(decided.approval)),
    ];
    vec![Box::new(record).into(), events.event(EventType::PermissionDecided, data)]
}

fn reason(decided: &Decided) -> DecisionReason {
    let mut reason = DecisionReason::new(decided.reason);
    reason.message = decided.message.as_ref().map(ToString::to_string);
    let by_rule = decided.reason == ReasonType::Rule;
    reason.rule_ref = decided.rules.first().filter(|_| by_rule).map(|rule| (&rule.id).into());
    reason
}

/// The parts of a decision that have no field in the standard.
fn extensions(decided: &Decided, allows: bool) -> Object {
    let mut extra = Object::new();
    let mut put = |name: &str, value: Value| {
        if !value.is_null() {
            extra.insert(name.to_owned(), value);
        }
    };
    if !decided.rules.is_empty() {
        put("rules", decided.rules.iter().map(rule).collect());
    }
    put("grant_ref", optional(decided.grant.as_ref()));
    put("approval_ref", optional(decided.approval));
    put("feedback", optional(decided.feedback.as_ref().filter(|_| !allows)));
    if !decided.classifiers.is_empty() {
        put("classifiers", decided.classifiers.iter().map(classifier).collect());
    }
    extra
}

/// A rule that took part, with its source: the standard's list of rules has only their names.
fn rule(note: &RuleNote) -> Value {
    let mut said = json!({"rule_ref": note.id});
    if let (Value::Object(fields), Some(source)) = (&mut said, note.source) {
        fields.insert("source".to_owned(), text(source));
    }
    said
}

/// The answer of a classifier: a fact about the input, not a decision.
fn classifier(note: &ClassifierNote) -> Value {
    let mut said = json!(note);
    if let Value::Object(fields) = &mut said {
        fields.insert("authority".to_owned(), "recommend".into());
    }
    said
}

fn of_progress<'r>(progress: &ToolProgress, events: &EventMaker<'_>) -> ProjectedRecord<'r> {
    events.event(
        EventType::InvocationProgress,
        [
            ("progress_id", text(&progress.progress_id)),
            ("progress_sequence", progress.sequence.0.into()),
            ("progress_status", text(&progress.status)),
        ],
    )
}

fn of_persisted<'r>(
    stored: &ToolResultPersistence,
    events: &EventMaker<'_>,
) -> ProjectedRecord<'r> {
    let digest = stored.persisted_ref.as_ref().and_then(|place| place.typed()?.digest.as_ref());
    events.event(
        EventType::ResultPersisted,
        [
            ("decision_id", text(&stored.decision_id)),
            ("result_id", optional(stored.result_id.as_ref())),
            ("strategy", text(stored.strategy)),
            ("digest", optional(digest)),
        ],
    )
}

pub(super) fn time(millis: u64) -> assent_protocol::wire::Timestamp {
    UnixMillis::new(millis).into()
}

/// A list; `None` if it is empty, because the standard's records leave out empty lists.
pub(super) fn filled<T>(items: impl Iterator<Item = T>) -> Option<Vec<T>> {
    let items: Vec<T> = items.collect();
    (!items.is_empty()).then_some(items)
}
