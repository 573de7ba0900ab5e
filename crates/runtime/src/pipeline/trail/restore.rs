//! A trail that is rebuilt from the journal.

use std::sync::Arc;

use assent_ids::{InvocationId, UnixMillis};
use assent_journal::{Entry, Fact, Planned};
use assent_protocol::agent_tool::{Behavior, InvocationStatus};

use super::{FourInputs, Trail};
use crate::pipeline::{
    Context,
    checkpoint::{Checkpoint, SavedOpinion},
};

impl Trail {
    /// Rebuilds the trail of a call that a crash interrupted; `None` if the journal does not know the call.
    pub(crate) fn restore(
        ctx: &Arc<Context>,
        invocation: InvocationId,
        entries: &[Arc<Entry>],
        checkpoint: Option<Checkpoint>,
    ) -> Option<Self> {
        let planned = entries.iter().find_map(|entry| planned(&entry.draft.fact))?;
        let mut trail = Self::begin(ctx, invocation, planned);
        trail.is_resumed = true;
        trail.writer.has_state = true;
        trail.transitions.clear();
        for entry in entries {
            trail.replay(entry);
        }
        // Ids are derived from a counter and the time. Beginning beyond every number that may have been
        // used keeps them distinct even if no time has passed.
        trail.derived = trail.writer.step.saturating_mul(64);
        match checkpoint {
            Some(checkpoint) => trail.continue_from(checkpoint),
            None => {
                trail.inputs.restore(FourInputs::recorded(&trail.planned, entries));
                trail.inputs.is_recorded = true;
            }
        }
        Some(trail)
    }

    fn continue_from(&mut self, checkpoint: Checkpoint) {
        self.inputs.restore(checkpoint.inputs());
        self.planned = checkpoint.planned;
        self.approved = checkpoint.approved;
        let opinions = checkpoint.opinions.into_iter();
        self.hooks.opinions = opinions.map(SavedOpinion::restored).collect();
        self.hooks.messages = checkpoint.messages;
        self.hooks.context = checkpoint.context;
        self.hooks.chain = checkpoint.hook_chain;
    }

    fn replay(&mut self, entry: &Entry) {
        let at = entry.draft.at.get();
        self.writer.step = entry.draft.step + 1;
        let mut moved = |status| {
            self.status = status;
            self.transitions.push((status, at));
        };
        match &entry.draft.fact {
            Fact::Planned(_) => moved(InvocationStatus::Planned),
            Fact::Selected(selected) => {
                moved(InvocationStatus::Selected);
                self.definition = Some(selected.definition);
            }
            Fact::Moved(status) => {
                moved(*status);
                if *status == InvocationStatus::Running {
                    self.executed = true;
                    self.attempts = self.attempts.max(1);
                }
            }
            Fact::Mutated(mutation) => self.inputs.add_mutation(mutation),
            Fact::HookStarted(hook) => self.hooks.runs.push(hook.run),
            Fact::Asked(asked) => self.asked = Some(Arc::clone(asked)),
            Fact::Decided(decided) => {
                self.decisions.push(decided.id);
                if decided.approval.is_some() && decided.behavior == Behavior::Allow {
                    self.approved_until = decided.expires_at.map(UnixMillis::new);
                }
                self.name_policies(&decided.policies);
            }
            Fact::Progressed(progress) => self.progress = progress.sequence.0,
            Fact::CancelRequested { reason } => self.cancellation.reason = Some(*reason),
            Fact::CancelAcknowledged | Fact::CancelFailed { .. } => {
                self.cancellation.is_settled = true;
            }
            Fact::Retried { attempt } => self.attempts = *attempt,
            Fact::Noted(_)
            | Fact::HookRan(_)
            | Fact::HookFailed(_)
            | Fact::Partial(_)
            | Fact::NeedsInput { .. }
            | Fact::Completed(_)
            | Fact::Persisted(_)
            | Fact::Redacted { .. }
            | Fact::Resulted(_)
            | Fact::Ended(_) => {}
        }
    }
}

fn planned(fact: &Fact) -> Option<Arc<Planned>> {
    match fact {
        Fact::Planned(planned) => Some(Arc::clone(planned)),
        _ => None,
    }
}
