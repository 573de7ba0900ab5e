//! How facts get into the journal.

use std::sync::Arc;

use assent_journal::{Batch, Claim, Draft, Fact, JournalError, SavedState};
use assent_protocol::agent_tool::InvocationStatus;

use super::Trail;
use crate::{
    catalog::Tool,
    pipeline::{
        checkpoint::{Checkpoint, SavedOpinion},
        map_result::Ending,
        outcome::SavedOutcome,
    },
};

/// The number of facts that may wait to be written together.
const MAX_UNWRITTEN: usize = 1024;

impl Trail {
    /// Notes a fact; it is written with the next commit.
    pub(crate) fn record(&mut self, fact: Fact) {
        let invocation = Some(self.invocation);
        self.unwritten.push(Draft { at: self.now, invocation, step: self.step, fact });
        self.step += 1;
    }

    /// Writes what was noted, and waits until it is durable.
    ///
    /// # Errors
    /// If it could not be written. After a refused claim it stays noted, see [`Self::take_back`]; after
    /// anything else nothing more is written about this call, because a gap would be worse than
    /// silence: whatever was written before is found when the journal is next opened.
    pub(crate) async fn commit(
        &mut self,
        claims: Vec<Claim>,
        save: Option<SavedState>,
    ) -> Result<(), JournalError> {
        let kept = if claims.is_empty() { Vec::new() } else { self.unwritten.clone() };
        let drafts = std::mem::take(&mut self.unwritten);
        self.is_held |= save.is_some();
        let appended = self.ctx.journal.append(Batch { drafts, claims, save, release: None }).await;
        self.look_at_clock();
        match appended {
            Ok(_) => Ok(()),
            Err(error) => {
                self.unwritten = kept;
                self.is_cut_off = !matches!(error, JournalError::Claimed { .. });
                Err(error)
            }
        }
    }

    /// Writes what was noted together with everything that is needed to go on from here after a crash.
    ///
    /// # Errors
    /// As for [`Self::commit`].
    pub(crate) async fn checkpoint(&mut self) -> Result<(), JournalError> {
        let saved = self.state().saved(self.invocation);
        self.commit(Vec::new(), Some(saved)).await
    }

    fn state(&self) -> Checkpoint {
        let mut planned = Arc::clone(&self.planned);
        if !planned.model_input.is_same(&self.inputs.model) {
            Arc::make_mut(&mut planned).model_input = self.inputs.model.clone();
        }
        Checkpoint {
            planned,
            observable: self.inputs.observable.clone(),
            permission: self.inputs.permission.clone(),
            call: self.inputs.call.clone(),
            approved: self.approved.clone(),
            opinions: self.opinions.iter().map(SavedOpinion::of).collect(),
            messages: self.messages.clone(),
            context: self.context.clone(),
            hook_chain: self.hook_chain.clone(),
            outcome: self.outcome.as_ref().and_then(|(ending, ran_alone)| {
                SavedOutcome::of(ending, *ran_alone, self.hidden())
            }),
        }
    }

    /// From now on, whatever is written before something outside is waited for holds what came of the call.
    pub(crate) fn hold_outcome(&mut self, ending: &Arc<Ending>, ran_alone: bool) {
        let is_same = |(held, _): &(Arc<Ending>, bool)| Arc::ptr_eq(held, ending);
        if !self.outcome.as_ref().is_some_and(is_same) {
            self.outcome = Some((Arc::clone(ending), ran_alone));
            self.is_outcome_held = false;
        }
    }

    /// No hook looks at it any more.
    pub(crate) fn let_go_of_outcome(&mut self) {
        self.outcome = None;
    }

    /// What is held while the tool runs. A tool that cannot be resumed never starts twice, so all that
    /// matters about it after a crash is that it had started: its secrets are let go of now.
    pub(crate) fn state_while_running(&self, tool: &Tool) -> SavedState {
        if tool.definition.execution.supports_resume == Some(true) {
            self.state().saved(self.invocation)
        } else {
            SavedState { invocation: self.invocation, bytes: Arc::default() }
        }
    }

    /// Whether so much was noted that it must not wait any longer.
    pub(crate) fn is_full(&self) -> bool {
        self.unwritten.len() >= MAX_UNWRITTEN
    }

    /// Sends what was noted on its way without waiting: for facts on which nothing depends.
    pub(crate) fn flush(&mut self) {
        if self.unwritten.is_empty() || self.is_cut_off {
            return;
        }
        // A call that the journal knows of must be found again after a crash, and so must what came of it.
        let has_news = self.outcome.is_some() && !self.is_outcome_held;
        let save = (!self.is_held || has_news).then(|| self.state().saved(self.invocation));
        self.is_held = true;
        self.is_outcome_held = self.outcome.is_some();
        let drafts = std::mem::take(&mut self.unwritten);
        drop(self.ctx.journal.append(Batch { drafts, save, ..Batch::default() }));
    }

    /// The same, before something outside is waited for that may take long. If it looks at what came of the
    /// call, that is durable first: a crash meanwhile must neither lose it nor run the tool again.
    pub(crate) async fn flush_outcome(&mut self) {
        let is_news = self.outcome.is_some() && !self.is_outcome_held && !self.is_cut_off;
        if !is_news {
            return self.flush();
        }
        self.is_outcome_held = true;
        // If it cannot be written, the end of the call cannot be either, and its result says so.
        drop(self.checkpoint().await);
    }

    /// Writes the last facts and lets go of what was held.
    ///
    /// # Errors
    /// If they could not be written.
    pub(crate) async fn finish(&mut self) -> Result<(), JournalError> {
        self.is_finished = true;
        if self.is_cut_off {
            return Err(JournalError::Unavailable("an earlier write failed".to_owned()));
        }
        let drafts = std::mem::take(&mut self.unwritten);
        let release = Some(self.invocation);
        self.ctx.journal.append(Batch { drafts, release, ..Batch::default() }).await.map(drop)
    }

    /// As [`Self::finish`], for a call that nobody waits for any longer.
    pub(crate) fn finish_unheard(&mut self) {
        self.is_finished = true;
        if !self.is_cut_off {
            let drafts = std::mem::take(&mut self.unwritten);
            let release = Some(self.invocation);
            drop(self.ctx.journal.append(Batch { drafts, release, ..Batch::default() }));
        }
    }

    /// Takes back the last fact, which was not written.
    pub(crate) fn take_back(&mut self, status: InvocationStatus) {
        if self.unwritten.pop().is_some() {
            self.step -= 1;
            self.transitions.pop();
            self.status = status;
        }
    }
}
