//! The dependencies of a call outside of its batch: active calls, and calls that only the journal knows.

use std::{collections::BTreeSet, sync::Arc};

use assent_ids::InvocationId;
use assent_journal::{Entry, Fact};
use assent_protocol::agent_tool::{AbortReason, InvocationStatus, SiblingFailurePolicy};

use super::Inner;
use crate::{control::Control, request::Request, scheduler::Ended};

/// The calls outside of its batch that a call depends on.
#[derive(Debug, Default)]
pub(super) struct OutsideDependencies {
    /// Those that are active.
    pub(super) running: Vec<Arc<Control>>,
    /// The others: they have ended, or are unknown.
    pub(super) others: Vec<InvocationId>,
}

impl Inner {
    /// The dependencies of a call outside of its batch.
    pub(super) fn outside_dependencies(
        &self,
        depends_on: &[InvocationId],
        is_own: impl Fn(InvocationId) -> bool,
    ) -> OutsideDependencies {
        let mut outside = OutsideDependencies::default();
        for &call in depends_on.iter().filter(|call| !is_own(**call)) {
            match self.active.get(call) {
                Some(control) => outside.running.push(control),
                None => outside.others.push(call),
            }
        }
        outside
    }

    /// The same for each call of a batch.
    pub(super) fn outside_dependencies_of(
        &self,
        calls: &[(Request, InvocationId, Arc<Control>)],
    ) -> Vec<OutsideDependencies> {
        let depends = |(request, ..): &(Request, _, _)| !request.depends_on.is_empty();
        let own: BTreeSet<InvocationId> = match calls.iter().any(depends) {
            true => calls.iter().map(|(_, invocation, _)| *invocation).collect(),
            false => BTreeSet::new(),
        };
        let outside = |(request, ..): &(Request, _, _)| {
            self.outside_dependencies(&request.depends_on, |call| own.contains(&call))
        };
        calls.iter().map(outside).collect()
    }

    /// Cancels the call if a dependency ended in a way its sibling policy does not tolerate. An unknown
    /// outcome counts as a failure.
    pub(super) async fn cancel_on_failed_dependency(
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

/// How a call ended according to its entries, if they say.
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
