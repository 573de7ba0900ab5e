//! The records of the Agent Tool standard, made from facts.

mod call;
mod catalog;
mod event;
mod hook;
mod invocation;
mod open_call;
mod record;

use std::collections::BTreeMap;

use assent_ids::InvocationId;
use assent_protocol::agent_tool::{CloudEvent, EventType};

pub use self::record::{Made, ProjectedRecord};
use self::{event::EventMaker, open_call::OpenCall};
use crate::{Draft, Entry, Fact};

/// The default source of events.
const SOURCE: &str = "assent-runtime";

/// Turns entries into records. It needs all entries of a call, in order, and remembers for each call that has not ended
/// what later records repeat.
///
/// A fact makes the record that it stands for, then the event for it, if the standard has one. The statuses
/// `pre_hooks_running`, `awaiting_approval`, `approved`, `needs_input`, `partial_result` and `post_hooks_running` have
/// no event of their own; the facts that come with them do. `tool_invocation` is made once, at the end.
#[derive(Debug)]
pub struct Projector {
    source: String,
    calls: BTreeMap<InvocationId, OpenCall>,
}

impl Default for Projector {
    fn default() -> Self {
        Self::new()
    }
}

impl Projector {
    /// A projector whose events come from `assent-runtime`.
    #[must_use]
    pub fn new() -> Self {
        Self::with_source(SOURCE)
    }

    /// A projector whose events come from `source`.
    #[must_use]
    pub fn with_source(source: impl Into<String>) -> Self {
        Self { source: source.into(), calls: BTreeMap::new() }
    }

    /// The records that `entry` stands for, in order.
    pub fn project<'a>(&mut self, entry: &'a Entry) -> Vec<ProjectedRecord<'a>> {
        let Draft { at, invocation, step, fact } = &entry.draft;
        match (fact, *invocation) {
            (Fact::Noted(noted), _) => {
                catalog::project(noted, &EventMaker::of_catalog(&self.source, *at, entry.seq))
            }
            (fact, Some(invocation)) => {
                let known = self.calls.entry(invocation).or_default();
                known.learn(fact, *at);
                let events = EventMaker::of_call(&self.source, *at, invocation, *step, known);
                let records = call::project(fact, known, &events);
                if matches!(fact, Fact::Ended(_)) {
                    self.calls.remove(&invocation);
                }
                records
            }
            // A fact of a call without the call: no store takes it, and no record could name it.
            (_, None) => Vec::new(),
        }
    }

    /// The event that `entry` stands for, for readers of CloudEvents.
    pub fn cloud_event(&mut self, entry: &Entry) -> Option<CloudEvent> {
        self.project(entry).iter().find_map(|record| match record {
            ProjectedRecord::Event(event) => Some(CloudEvent::from(&**event)),
            _ => None,
        })
    }
}

/// The events of `entries`, for readers of CloudEvents.
pub fn cloud_events<'a>(
    entries: impl IntoIterator<Item = &'a Entry>,
) -> impl Iterator<Item = CloudEvent> {
    let mut projector = Projector::new();
    entries.into_iter().filter_map(move |entry| projector.cloud_event(entry))
}

/// The event for a status, unless another fact has one.
fn event_of_state(status: assent_protocol::agent_tool::InvocationStatus) -> Option<EventType> {
    use assent_protocol::agent_tool::InvocationStatus as Status;
    Some(match status {
        Status::Planned => EventType::InvocationPlanned,
        Status::Selected => EventType::InvocationSelected,
        Status::ArgumentsReady => EventType::InvocationArgumentsReady,
        Status::SchemaParseFailed => EventType::InvocationSchemaParseFailed,
        Status::ValidationFailed => EventType::InvocationValidationFailed,
        Status::Queued => EventType::InvocationQueued,
        Status::Running => EventType::InvocationStarted,
        Status::Yielded => EventType::InvocationYielded,
        Status::Succeeded => EventType::InvocationSucceeded,
        Status::Failed => EventType::InvocationFailed,
        Status::Canceled => EventType::InvocationCanceled,
        Status::TimedOut => EventType::InvocationTimedOut,
        Status::Blocked => EventType::InvocationBlocked,
        Status::Denied => EventType::InvocationDenied,
        Status::PreHooksRunning
        | Status::AwaitingApproval
        | Status::Approved
        | Status::NeedsInput
        | Status::PartialResult
        | Status::PostHooksRunning => return None,
    })
}
