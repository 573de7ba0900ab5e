//! A journal in memory: for rehearsals, tests, and hosts that keep no history.

mod forgotten;
mod state;

use std::{
    fmt,
    future::ready,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use assent_ids::InvocationId;
use tokio::sync::watch;

use self::state::State;
use crate::{
    Answer, Batch, Commit, Entry, Journal, JournalError, Pages, SavedState, Seq, Subscription,
};

/// The default limit: the entries of about a thousand calls.
const DEFAULT_LIMIT: usize = 1 << 14;

/// A journal that lives as long as the process. Every operation completes immediately.
pub struct MemoryJournal {
    shared: Arc<Shared>,
    /// Notifies subscriptions of new entries. They hold `shared`, and they end when this is dropped.
    grown: watch::Sender<()>,
    redaction_key: OnceLock<[u8; 32]>,
}

struct Shared(Mutex<State>);

impl MemoryJournal {
    /// Creates an empty journal that keeps everything.
    #[must_use]
    pub fn new() -> Self {
        Self::with_capacity_limit(usize::MAX)
    }

    /// Creates an empty journal that keeps about `entries` entries. When there are more, whole calls are
    /// forgotten, in the order in which they ended. Calls that have not ended are kept regardless of their
    /// number. Claims are never forgotten; each takes about 100 bytes.
    ///
    /// A reader that asks for forgotten entries gets [`JournalError::Lagged`]. A forgotten call is never
    /// mistaken for a new one, see [`JournalError::Forgotten`]: the 65,536 largest ids are remembered, and
    /// every smaller id counts as forgotten.
    #[must_use]
    pub fn with_capacity_limit(entries: usize) -> Self {
        Self {
            shared: Arc::new(Shared(Mutex::new(State::with_limit(entries)))),
            grown: watch::Sender::new(()),
            redaction_key: OnceLock::new(),
        }
    }
}

/// A journal that keeps about 16,384 entries. A sender that repeats a call after it was forgotten is
/// refused; hosts with such senders use [`MemoryJournal::new`] or a file.
impl Default for MemoryJournal {
    fn default() -> Self {
        Self::with_capacity_limit(DEFAULT_LIMIT)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while the lock is held, so the state is always consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Journal for MemoryJournal {
    fn append(&self, batch: Batch) -> Commit {
        let result = self.shared.state().append(batch);
        self.grown.send_replace(());
        Commit::settled(result)
    }

    fn read(&self, from: Seq, limit: usize) -> Answer<'_, Vec<Arc<Entry>>> {
        self.shared.page(from, limit)
    }

    fn of_call(&self, invocation: InvocationId) -> Answer<'_, Vec<Arc<Entry>>> {
        answer(self.shared.state().of_call(invocation))
    }

    fn saved_states(&self) -> Answer<'_, Vec<SavedState>> {
        answer(Ok(self.shared.state().saved_states()))
    }

    fn claimed(&self, key: &str) -> Answer<'_, u32> {
        answer(Ok(self.shared.state().claimed(key)))
    }

    fn last(&self) -> Answer<'_, Seq> {
        answer(Ok(self.shared.state().last()))
    }

    fn redaction_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], JournalError> {
        Ok(*self.redaction_key.get_or_init(|| fresh))
    }

    fn subscribe(&self, from: Seq) -> Subscription {
        let grown = self.grown.subscribe();
        Subscription::new(Arc::<Shared>::clone(&self.shared), from, grown)
    }
}

impl Pages for Shared {
    fn page(&self, from: Seq, limit: usize) -> Answer<'_, Vec<Arc<Entry>>> {
        answer(self.state().read(from, limit))
    }
}

fn answer<T: Send + 'static>(result: Result<T, JournalError>) -> Answer<'static, T> {
    Box::pin(ready(result))
}

impl fmt::Debug for MemoryJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.shared.state().last();
        f.debug_struct("MemoryJournal").field("last", &last).finish_non_exhaustive()
    }
}
