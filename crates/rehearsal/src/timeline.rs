//! Timelines of calls for people: one line per event, in order, by stage.

mod changes;
mod hooks;
mod telling;

use std::{collections::BTreeMap, sync::Arc};

use assent_ids::InvocationId;
use assent_journal::{Entry, Fact};
use assent_json::shorten;
use assent_protocol::agent_tool::InvocationStatus;
use assent_runtime::Stage;

use self::telling::Teller;

/// The longest text that is shown in full.
const LONGEST_TEXT: usize = 160;

/// The timeline of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// The id of the call.
    pub invocation: InvocationId,
    /// The name that the model used.
    pub requested: String,
    /// The state of the call.
    pub status: InvocationStatus,
    /// The events, oldest first.
    pub moments: Vec<Moment>,
}

/// An event of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The time, in milliseconds since the start.
    pub at_ms: u64,
    /// The stage of the pipeline.
    pub stage: Stage,
    /// The kind of event.
    pub kind: MomentKind,
    /// A short title.
    pub what: String,
    /// Details.
    pub detail: String,
}

/// The kind of an event, which determines its color.
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

impl MomentKind {
    /// The kind of event for a state of a call.
    #[must_use]
    pub fn of(status: InvocationStatus) -> Self {
        match status {
            InvocationStatus::Succeeded => Self::Good,
            ended if ended.is_terminal() => Self::Bad,
            InvocationStatus::AwaitingApproval | InvocationStatus::NeedsInput => Self::Careful,
            _ => Self::Step,
        }
    }
}

/// Returns the timelines of all calls, in the order in which they were requested.
#[must_use]
pub fn timelines(entries: &[Arc<Entry>]) -> Vec<Timeline> {
    let beginning = entries.first().map_or(0, |entry| entry.draft.at.get());
    let mut order = Vec::new();
    let mut calls: BTreeMap<InvocationId, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        let Some(invocation) = entry.draft.invocation else { continue };
        let of_call = calls.entry(invocation).or_insert_with(|| {
            order.push(invocation);
            Vec::new()
        });
        of_call.push(entry);
    }
    let path = |call| calls.get(&call).map(|entries| Timeline::of(call, entries, beginning));
    order.into_iter().filter_map(path).collect()
}

impl Timeline {
    fn of(invocation: InvocationId, entries: &[&Entry], beginning: u64) -> Self {
        let mut requested = String::new();
        let mut teller = Teller::new(entries);
        let mut moments = Vec::new();
        for entry in entries {
            if let Fact::Planned(planned) = &entry.draft.fact {
                requested = planned.requested.to_string();
            }
            if let Some(told) = teller.tell(&entry.draft.fact) {
                moments.push(Moment {
                    at_ms: entry.draft.at.get().saturating_sub(beginning),
                    stage: told.stage,
                    kind: told.kind,
                    what: told.what,
                    detail: shorten(&told.detail, LONGEST_TEXT),
                });
            }
        }
        Self { invocation, requested, status: teller.status(), moments }
    }
}
