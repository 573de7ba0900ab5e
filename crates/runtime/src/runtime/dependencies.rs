//! What a call depends on that does not belong to its batch: calls that are on their way, and calls that
//! only the journal knows.

use std::{collections::BTreeSet, sync::Arc};

use assent_ids::InvocationId;
use assent_journal::{Entry, Fact};
use assent_protocol::agent_tool::{AbortReason, InvocationStatus, SiblingFailurePolicy};

use super::Inner;
use crate::{control::Control, request::Request, scheduler::Ended};

/// The calls of other batches that a call depends on.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    /// Those that are on their way.
    pub(super) running: Vec<Arc<Control>>,
    /// The others: they have ended, or nobody knows them.
    pub(super) others: Vec<InvocationId>,
}

impl Inner {
    /// What a call depends on besides its own batch.
    pub(super) fn elsewhere(
        &self,
        depends_on: &[InvocationId],
        is_own: impl Fn(InvocationId) -> bool,
    ) -> Elsewhere {
        let mut elsewhere = Elsewhere::default();
        for &call in depends_on.iter().filter(|call| !is_own(**call)) {
            match self.active.get(call) {
                Some(control) => elsewhere.running.push(control),
                None => elsewhere.others.push(call),
            }
        }
        elsewhere
    }

    /// The same for each call of a batch.
    pub(super) fn elsewhere_of(
        &self,
        calls: &[(Request, InvocationId, Arc<Control>)],
    ) -> Vec<Elsewhere> {
        let depends = |(request, ..): &(Request, _, _)| !request.depends_on.is_empty();
        let own: BTreeSet<InvocationId> = match calls.iter().any(depends) {
            true => calls.iter().map(|(_, invocation, _)| *invocation).collect(),
            false => BTreeSet::new(),
        };
        let elsewhere = |(request, ..): &(Request, _, _)| {
            self.elsewhere(&request.depends_on, |call| own.contains(&call))
        };
        calls.iter().map(elsewhere).collect()
    }

    /// Tells a call to stop if one that it depends on has ended in a way that it must not outlast. Of one
    /// that the journal does not know, does not know any more or cannot tell of, nobody can say that it
    /// did what it should.
    pub(super) async fn heed(
        &self,
        others: &[InvocationId],
        siblings: SiblingFailurePolicy,
        control: &Control,
    ) {
        for &call in others {
            let entries = self.ctx.journal.of_call(call).await.unwrap_or_default();
            let how = recorded_end(&entries).unwrap_or(Ended::Refused);
            if how.cancels_dependents(siblings) {
                control.abort(AbortReason::SiblingError);
                return;
            }
        }
    }
}

/// How a call ended, by what is recorded of it. None if that is not known.
pub(super) fn recorded_end(entries: &[Arc<Entry>]) -> Option<Ended> {
    let was_executed = entries
        .iter()
        .any(|entry| matches!(entry.draft.fact, Fact::Moved(InvocationStatus::Running)));
    entries.iter().rev().find_map(|entry| match &entry.draft.fact {
        Fact::Completed(completed) => Some(Ended::of(completed.status, was_executed)),
        Fact::Moved(status) if status.is_terminal() => Some(Ended::of(*status, was_executed)),
        _ => None,
    })
}
