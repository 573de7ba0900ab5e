//! What happened to each call, for people: one line per thing that happened, in order.

use std::{collections::BTreeMap, sync::Arc};

use assent_ids::InvocationId;
use assent_journal::{Decided, Ended, Entry, Fact, HookRan, Mutated};
use assent_json::shorten;
use assent_protocol::agent_tool::{Behavior, InvocationStatus, ToolResult};

/// Longer texts are cut: the journal has the whole of them.
const LONGEST_TEXT: usize = 160;

/// The path of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// The call.
    pub invocation: InvocationId,
    /// The name that the model used.
    pub requested: String,
    /// What happened, oldest first.
    pub moments: Vec<Moment>,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// When, in milliseconds since the beginning.
    pub at_ms: u64,
    /// What kind of thing.
    pub kind: MomentKind,
    /// In a word.
    pub what: String,
    /// More about it; empty if there is nothing to add.
    pub detail: String,
}

/// What kind of thing happened: how it is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MomentKind {
    /// A step on the way.
    Step,
    /// Something was allowed or worked.
    Good,
    /// Something was asked, changed or warned of.
    Careful,
    /// Something was refused or broke.
    Bad,
}

/// The paths of all calls, in the order in which they were asked for.
#[must_use]
pub fn timelines(entries: &[Arc<Entry>]) -> Vec<Timeline> {
    let beginning = entries.first().map_or(0, |entry| entry.draft.at.get());
    let mut order = Vec::new();
    let mut calls: BTreeMap<InvocationId, Timeline> = BTreeMap::new();
    for entry in entries {
        let Some(invocation) = entry.draft.invocation else { continue };
        let timeline = calls.entry(invocation).or_insert_with(|| {
            order.push(invocation);
            Timeline { invocation, requested: String::new(), moments: Vec::new() }
        });
        if let Fact::Planned(planned) = &entry.draft.fact {
            timeline.requested = planned.requested.to_string();
        }
        if let Some((kind, what, detail)) = moment(&entry.draft.fact) {
            let at_ms = entry.draft.at.get().saturating_sub(beginning);
            let detail = shorten(&detail, LONGEST_TEXT);
            timeline.moments.push(Moment { at_ms, kind, what, detail });
        }
    }
    order.into_iter().filter_map(|invocation| calls.remove(&invocation)).collect()
}

type Told = (MomentKind, String, String);

fn told(kind: MomentKind, what: impl Into<String>, detail: impl Into<String>) -> Option<Told> {
    Some((kind, what.into(), detail.into()))
}

fn moment(fact: &Fact) -> Option<Told> {
    use MomentKind::{Bad, Careful, Step};
    match fact {
        Fact::Planned(planned) => told(Step, "planned", planned.model_input.text()),
        Fact::Selected(selected) => told(Step, "selected", selected.tool.as_str()),
        Fact::Moved(status) => told(kind_of(*status), status.as_str(), ""),
        Fact::Mutated(mutated) => told(Careful, "input changed", change(mutated)),
        Fact::HookStarted(_) | Fact::Completed(_) | Fact::Noted(_) => None,
        Fact::HookRan(ran) => told(Step, format!("hook {}", ran.hook), hook(ran)),
        Fact::HookFailed(failed) => {
            let after = if failed.closed { "the call does not go on" } else { "it is passed over" };
            told(
                Bad,
                format!("hook {} failed", failed.hook),
                format!("{}: {after}", failed.message),
            )
        }
        Fact::Asked(asked) => told(Careful, "a person is asked", format!("{}", asked.prompt)),
        Fact::Decided(decided) => decision(decided),
        Fact::Progressed(progress) => {
            let percent = progress.percent.as_ref().map(|percent| format!("{} % ", percent.get()));
            let message = progress.message.clone().unwrap_or_default();
            told(Step, "progress", format!("{}{message}", percent.unwrap_or_default()))
        }
        Fact::Partial(part) => told(Step, "part of the result", part.text()),
        Fact::NeedsInput { prompt } => told(Careful, "the tool asks", prompt.as_str()),
        Fact::CancelRequested { reason } => told(Careful, "cancel requested", reason.as_str()),
        Fact::CancelAcknowledged => told(Step, "cancel acknowledged", ""),
        Fact::CancelFailed { message } => told(Careful, "cancel failed", message.as_str()),
        Fact::Retried { attempt } => told(Careful, "tried again", format!("attempt {attempt}")),
        Fact::Persisted(record) => {
            told(Step, record.strategy.as_str(), record.reason.clone().unwrap_or_default())
        }
        Fact::Redacted { fields } => told(Careful, "redacted", fields.join(", ")),
        Fact::Resulted(result) => told(Step, "result", outcome(result)),
        Fact::Ended(ended) => told(Step, "recorded", summary(ended)),
    }
}

fn kind_of(status: InvocationStatus) -> MomentKind {
    match status {
        InvocationStatus::Succeeded | InvocationStatus::Approved => MomentKind::Good,
        InvocationStatus::AwaitingApproval | InvocationStatus::NeedsInput => MomentKind::Careful,
        InvocationStatus::SchemaParseFailed
        | InvocationStatus::ValidationFailed
        | InvocationStatus::Denied
        | InvocationStatus::Failed
        | InvocationStatus::Canceled
        | InvocationStatus::TimedOut
        | InvocationStatus::Blocked => MomentKind::Bad,
        InvocationStatus::Planned
        | InvocationStatus::Selected
        | InvocationStatus::ArgumentsReady
        | InvocationStatus::PreHooksRunning
        | InvocationStatus::Queued
        | InvocationStatus::Running
        | InvocationStatus::PartialResult
        | InvocationStatus::PostHooksRunning
        | InvocationStatus::Yielded => MomentKind::Step,
    }
}

fn change(mutated: &Mutated) -> String {
    let by = mutated.source_ref.as_deref().unwrap_or(mutated.source.as_str());
    format!("{} by {by}", mutated.changed.join(", "))
}

fn hook(ran: &HookRan) -> String {
    let outputs = ran
        .said
        .iter()
        .flat_map(|said| said.outputs.iter().flatten())
        .filter_map(|output| output.typed());
    let kinds: Vec<&str> = outputs.map(|output| output.kind.as_str()).collect();
    if kinds.is_empty() { "had nothing to say".to_owned() } else { kinds.join(", ") }
}

fn decision(decided: &Decided) -> Option<Told> {
    let kind = match decided.behavior {
        Behavior::Allow => MomentKind::Good,
        Behavior::Ask | Behavior::Passthrough => MomentKind::Careful,
        Behavior::Deny => MomentKind::Bad,
    };
    let mut detail = decided.message.clone().unwrap_or_default().into_owned();
    if let Some(feedback) = &decided.feedback {
        detail.push_str(&format!(" (“{feedback}”)"));
    }
    told(kind, decided.behavior.as_str(), detail)
}

fn outcome(result: &ToolResult) -> String {
    let error = result.error.as_ref().and_then(|error| error.typed());
    match error {
        Some(error) => {
            let message = error.message.as_deref().unwrap_or_default();
            format!("{}: {} {message}", result.status.as_str(), error.error_class.as_str())
        }
        None => result.status.as_str().to_owned(),
    }
}

fn summary(ended: &Ended) -> String {
    let ran = if ended.executed { "the tool ran" } else { "the tool did not run" };
    format!("{ran}; {} decisions, {} hooks", ended.decisions.len(), ended.hooks.len())
}
