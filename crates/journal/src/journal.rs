//! The one interface to every journal.

use std::{future::Future, pin::Pin, sync::Arc};

use assent_ids::InvocationId;

use crate::{Batch, Commit, Entry, JournalError, SavedState, Seq, Subscription};

/// An answer that takes a while.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, JournalError>> + Send + 'a>>;

/// An append-only journal.
///
/// Whoever appends waits for the [`Commit`] before acting on what the batch says; a commit that
/// answers `Ok` survives the death of the process at any later moment.
pub trait Journal: Send + Sync {
    /// Records a batch, all of it or nothing. The order of calls is the order in the journal.
    ///
    /// Answers [`JournalError::Claimed`] if a claim of the batch is used up.
    fn append(&self, batch: Batch) -> Commit;

    /// Up to `limit` entries from `from` on, oldest first.
    fn read(&self, from: Seq, limit: usize) -> Answer<'_, Vec<Arc<Entry>>>;

    /// Every entry of one call, oldest first; none if nobody has asked for the call.
    ///
    /// Answers [`JournalError::Forgotten`] if the journal cannot tell.
    fn of_call(&self, invocation: InvocationId) -> Answer<'_, Vec<Arc<Entry>>>;

    /// The saved states of calls that have not ended, in the order of the calls' ids.
    fn saved_states(&self) -> Answer<'_, Vec<SavedState>>;

    /// How often something has been claimed.
    fn claimed(&self, key: &str) -> Answer<'_, u32>;

    /// The last place that is in use.
    fn last(&self) -> Answer<'_, Seq>;

    /// The secret under which sensitive values are digested before they are recorded. It is the same for as
    /// long as the journal exists, also across restarts. The first call makes it from `fresh`, which has to
    /// be random; later calls ignore `fresh`.
    ///
    /// # Errors
    /// If the key cannot be read, or cannot be stored durably.
    fn redaction_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], JournalError>;

    /// Every entry from `from` on: those that are there, then each new one as it becomes durable,
    /// without gap or repetition.
    fn subscribe(&self, from: Seq) -> Subscription;
}
