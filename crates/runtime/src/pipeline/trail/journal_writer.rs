//! The facts of a call on their way into the journal.

use std::sync::Arc;

use assent_ids::{InvocationId, UnixMillis};
use assent_journal::{Batch, Claim, Draft, Fact, Journal, JournalError, SavedState};

use crate::pipeline::map_result::Ending;

/// The number of facts that may wait to be written together.
const MAX_UNWRITTEN: usize = 1024;

/// Collects the facts of one call and appends them in batches.
pub(super) struct JournalWriter {
    journal: Arc<dyn Journal>,
    invocation: InvocationId,
    unwritten: Vec<Draft>,
    /// The step of the next fact.
    pub(super) step: u32,
    /// An append failed. Nothing more is written, because a gap would be worse than missing facts.
    pub(super) has_failed: bool,
    /// The journal holds a state from which the call can continue after a crash.
    pub(super) has_state: bool,
    /// The outcome of the call while hooks run on it, and whether the call ran alone.
    pub(super) outcome: Option<(Arc<Ending>, bool)>,
    /// The saved state contains the outcome.
    pub(super) has_saved_outcome: bool,
    is_finished: bool,
}

impl JournalWriter {
    pub(super) fn new(journal: Arc<dyn Journal>, invocation: InvocationId) -> Self {
        Self {
            journal,
            invocation,
            unwritten: Vec::new(),
            step: 0,
            has_failed: false,
            has_state: false,
            outcome: None,
            has_saved_outcome: false,
            is_finished: false,
        }
    }

    /// Returns `true` once the first fact is recorded.
    pub(super) fn has_begun(&self) -> bool {
        self.step > 0
    }

    pub(super) fn is_finished(&self) -> bool {
        self.is_finished
    }

    /// Returns `true` if facts must not wait any longer.
    pub(super) fn is_full(&self) -> bool {
        self.unwritten.len() >= MAX_UNWRITTEN
    }

    pub(super) fn is_idle(&self) -> bool {
        self.unwritten.is_empty() || self.has_failed
    }

    /// Returns `true` if there is an outcome that the saved state does not contain.
    pub(super) fn has_unsaved_outcome(&self) -> bool {
        self.outcome.is_some() && !self.has_saved_outcome
    }

    /// Adds a fact; it is written with the next batch.
    pub(super) fn add(&mut self, at: UnixMillis, fact: Fact) {
        let invocation = Some(self.invocation);
        self.unwritten.push(Draft { at, invocation, step: self.step, fact });
        self.step += 1;
    }

    /// Removes the last fact if it is not written.
    pub(super) fn take_back(&mut self) -> bool {
        let was_there = self.unwritten.pop().is_some();
        self.step -= u32::from(was_there);
        was_there
    }

    /// Writes the facts and waits until they are durable. After a refused claim the facts stay unwritten.
    pub(super) async fn commit(
        &mut self,
        claims: Vec<Claim>,
        save: Option<SavedState>,
    ) -> Result<(), JournalError> {
        let kept = if claims.is_empty() { Vec::new() } else { self.unwritten.clone() };
        let drafts = std::mem::take(&mut self.unwritten);
        self.has_state |= save.is_some();
        let appended = self.journal.append(Batch { drafts, claims, save, release: None }).await;
        appended.map(drop).inspect_err(|error| {
            self.unwritten = kept;
            self.has_failed = !matches!(error, JournalError::Claimed { .. });
        })
    }

    /// Appends the facts without waiting until they are durable.
    pub(super) fn send(&mut self, save: Option<SavedState>) {
        self.has_state = true;
        self.has_saved_outcome = self.outcome.is_some();
        let drafts = std::mem::take(&mut self.unwritten);
        drop(self.journal.append(Batch { drafts, save, ..Batch::default() }));
    }

    /// The last batch of the call, which erases its saved state.
    fn last_batch(&mut self) -> Batch {
        self.is_finished = true;
        let drafts = std::mem::take(&mut self.unwritten);
        Batch { drafts, release: Some(self.invocation), ..Batch::default() }
    }

    /// Writes the last facts, erases the saved state, and waits until that is durable.
    pub(super) async fn finish(&mut self) -> Result<(), JournalError> {
        let batch = self.last_batch();
        if self.has_failed {
            return Err(JournalError::Unavailable("an earlier write failed".to_owned()));
        }
        self.journal.append(batch).await.map(drop)
    }

    /// The same without waiting.
    pub(super) fn finish_unattended(&mut self) {
        let batch = self.last_batch();
        if !self.has_failed {
            drop(self.journal.append(batch));
        }
    }
}
