//! When the facts of a call are written, and the state that is saved with them.

use std::sync::Arc;

use assent_journal::{Claim, Fact, JournalError, SavedState};
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

impl Trail {
    /// Records a fact; it is written with the next batch.
    pub(crate) fn record(&mut self, fact: Fact) {
        self.writer.add(self.now, fact);
    }

    /// Writes the recorded facts and waits until they are durable.
    ///
    /// # Errors
    /// If they could not be written. After a refused claim they stay unwritten, see [`Self::take_back`].
    /// After any other error nothing more is written about this call.
    pub(crate) async fn commit(
        &mut self,
        claims: Vec<Claim>,
        save: Option<SavedState>,
    ) -> Result<(), JournalError> {
        let committed = self.writer.commit(claims, save).await;
        self.update_time();
        committed
    }

    /// Writes the recorded facts together with the state from which the call can continue after a crash.
    ///
    /// # Errors
    /// As for [`Self::commit`].
    pub(crate) async fn checkpoint(&mut self) -> Result<(), JournalError> {
        let state = self.state();
        self.commit(Vec::new(), Some(state)).await
    }

    /// The state from which the call can continue after a crash.
    fn state(&self) -> SavedState {
        let mut planned = Arc::clone(&self.planned);
        if !planned.model_input.is_same(&self.inputs.model) {
            Arc::make_mut(&mut planned).model_input = self.inputs.model.clone();
        }
        let checkpoint = Checkpoint {
            planned,
            observable: self.inputs.observable.clone(),
            permission: self.inputs.permission.clone(),
            call: self.inputs.call.clone(),
            approved: self.approved.clone(),
            opinions: self.hooks.opinions.iter().map(SavedOpinion::of).collect(),
            messages: self.hooks.messages.clone(),
            context: self.hooks.context.clone(),
            hook_chain: self.hooks.chain.clone(),
            outcome: self.writer.outcome.as_ref().and_then(|(ending, ran_alone)| {
                SavedOutcome::of(ending, *ran_alone, self.hidden_values())
            }),
        };
        checkpoint.saved(self.invocation)
    }

    /// The state that is saved while the tool runs. A tool that cannot be resumed never starts twice, so
    /// nothing is needed after a crash but the fact that it had started, and no secret stays saved.
    pub(crate) fn state_while_running(&self, tool: &Tool) -> SavedState {
        if tool.definition.execution.supports_resume == Some(true) {
            self.state()
        } else {
            SavedState { invocation: self.invocation, bytes: Arc::default() }
        }
    }

    /// Includes the outcome in every state that is saved from now on.
    pub(crate) fn hold_outcome(&mut self, ending: &Arc<Ending>, ran_alone: bool) {
        let is_same = |(held, _): &(Arc<Ending>, bool)| Arc::ptr_eq(held, ending);
        if !self.writer.outcome.as_ref().is_some_and(is_same) {
            self.writer.outcome = Some((Arc::clone(ending), ran_alone));
            self.writer.has_saved_outcome = false;
        }
    }

    /// Ends [`Self::hold_outcome`].
    pub(crate) fn release_outcome(&mut self) {
        self.writer.outcome = None;
    }

    /// Returns `true` if facts must not wait any longer.
    pub(crate) fn is_full(&self) -> bool {
        self.writer.is_full()
    }

    /// Appends the recorded facts without waiting: for facts on which nothing depends.
    pub(crate) fn flush(&mut self) {
        if self.writer.is_idle() {
            return;
        }
        // A call in the journal must be able to continue after a crash, and must not lose its outcome.
        let needs_state = !self.writer.has_state || self.writer.has_unsaved_outcome();
        let state = needs_state.then(|| self.state());
        self.writer.send(state);
    }

    /// Appends the recorded facts before a wait that may take long. An unsaved outcome is made durable
    /// first: a crash during the wait must neither lose it nor run the tool again.
    pub(crate) async fn flush_outcome(&mut self) {
        if self.writer.has_failed || !self.writer.has_unsaved_outcome() {
            return self.flush();
        }
        self.writer.has_saved_outcome = true;
        // If this fails, so does the write at the end of the call, and the result reports it.
        drop(self.checkpoint().await);
    }

    /// Writes the last facts and erases the saved state.
    ///
    /// # Errors
    /// If they could not be written.
    pub(crate) async fn finish(&mut self) -> Result<(), JournalError> {
        self.writer.finish().await
    }

    /// As [`Self::finish`], for a call whose caller is gone.
    pub(crate) fn finish_unattended(&mut self) {
        self.writer.finish_unattended();
    }

    /// Removes the last fact, a transition that was not written, and returns to the status before it.
    pub(crate) fn take_back(&mut self, status: InvocationStatus) {
        if self.writer.take_back() {
            self.transitions.pop();
            self.status = status;
        }
    }
}
