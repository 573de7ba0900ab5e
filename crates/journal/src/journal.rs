//! The interface of all journals.

use std::{future::Future, pin::Pin, sync::Arc};

use assent_ids::InvocationId;

use crate::{Batch, Commit, Entry, JournalError, SavedState, Seq, Subscription};

/// The future of an answer.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, JournalError>> + Send + 'a>>;

/// An append-only journal.
///
/// A writer waits for the [`Commit`] before it acts on what the batch says. A batch whose commit resolves to `Ok` is
/// durable: it survives a crash of the process at any later moment.
pub trait Journal: Send + Sync {
    /// Records a batch as a whole or not at all. Batches are recorded in the order of the calls of this method.
    ///
    /// The commit resolves to [`JournalError::Claimed`] if a claim of the batch is used up.
    fn append(&self, batch: Batch) -> Commit;

    /// Returns up to `limit` entries from `from` on, oldest first.
    fn read(&self, from: Seq, limit: usize) -> Answer<'_, Vec<Arc<Entry>>>;

    /// Returns every entry of one call, oldest first; empty if the call was never requested.
    ///
    /// Fails with [`JournalError::Forgotten`] if the journal may have forgotten the call.
    fn of_call(&self, invocation: InvocationId) -> Answer<'_, Vec<Arc<Entry>>>;

    /// Returns the saved states of calls that have not ended, in the order of the calls' ids.
    fn saved_states(&self) -> Answer<'_, Vec<SavedState>>;

    /// Returns how often a key has been claimed.
    fn claimed(&self, key: &str) -> Answer<'_, u32>;

    /// Returns the last sequence number in use.
    fn last(&self) -> Answer<'_, Seq>;

    /// Returns the secret under which sensitive values are digested before they are recorded. It is the same for as
    /// long as the journal exists, also across restarts. The first call makes it from `fresh`, which has to
    /// be random; later calls ignore `fresh`.
    ///
    /// # Errors
    /// If the key cannot be read, or cannot be stored durably.
    fn redaction_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], JournalError>;

    /// Follows the journal from `from` on: existing entries first, then each new one when it is durable, without gaps
    /// or repetitions.
    fn subscribe(&self, from: Seq) -> Subscription;
}
