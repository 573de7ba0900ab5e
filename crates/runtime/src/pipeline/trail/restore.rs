//! A trail from what the journal knows.

use std::sync::Arc;

use assent_ids::InvocationId;
use assent_journal::{Entry, Fact, Planned};
use assent_protocol::agent_tool::InvocationStatus;

use super::{FourInputs, Trail};
use crate::pipeline::{
    Context,
    checkpoint::{Checkpoint, SavedOpinion},
};

impl Trail {
    /// The trail of a call that a crash interrupted; none if the journal does not know the call.
    pub(crate) fn restore(
        ctx: &Arc<Context>,
        invocation: InvocationId,
        entries: &[Arc<Entry>],
        checkpoint: Option<Checkpoint>,
    ) -> Option<Self> {
        let planned = entries.iter().find_map(|entry| planned(&entry.draft.fact))?;
        let mut trail = Self::begin(ctx, invocation, planned);
        trail.is_resumed = true;
        trail.is_held = true;
        trail.transitions.clear();
        for entry in entries {
            trail.replay(entry);
        }
        // Ids are derived from a counter and the time: starting beyond every number that can have been
        // used keeps them apart even if no time has passed.
        trail.derived = trail.step.saturating_mul(64);
        match checkpoint {
            Some(checkpoint) => trail.go_on_from(checkpoint),
            None => {
                trail.inputs = FourInputs::recorded(&trail.planned, entries);
                trail.is_recorded = true;
            }
        }
        Some(trail)
    }

    fn go_on_from(&mut self, checkpoint: Checkpoint) {
        self.inputs = checkpoint.inputs();
        self.planned = checkpoint.planned;
        self.approved = checkpoint.approved;
        self.opinions = checkpoint.opinions.into_iter().map(SavedOpinion::restored).collect();
        self.messages = checkpoint.messages;
        self.context = checkpoint.context;
        self.hook_chain = checkpoint.hook_chain;
    }

    fn replay(&mut self, entry: &Entry) {
        let at = entry.draft.at.get();
        self.step = entry.draft.step + 1;
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
            Fact::Mutated(mutation) => self.note_mutation(mutation),
            Fact::HookStarted(hook) => self.hooks.push(hook.run),
            Fact::Asked(asked) => self.asked = Some(Arc::clone(asked)),
            Fact::Decided(decided) => {
                self.decisions.push(decided.id);
                self.name_policies(&decided.policies);
            }
            Fact::Progressed(progress) => self.progress = progress.sequence.0,
            Fact::CancelRequested { reason } => self.cancel = Some(*reason),
            Fact::CancelAcknowledged | Fact::CancelFailed { .. } => self.is_cancel_settled = true,
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
