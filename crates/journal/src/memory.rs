//! A journal in memory: for rehearsals, tests, and hosts that keep no history.

mod chunk;
mod chunks;
mod claims;
mod coming;
mod forgotten;
mod garbage;
mod lane;
mod places;
mod state;

use std::{
    fmt,
    future::ready,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use assent_ids::InvocationId;
use tokio::sync::watch;

use self::{coming::Coming, state::State};
use crate::{Answer, Batch, Commit, Entry, Held, Journal, JournalError, Pages, Seq, Subscription};

/// A journal that lives as long as the process. It answers at once and never waits.
pub struct MemoryJournal {
    shared: Arc<Shared>,
    /// Not in `shared`: subscriptions hold that, and end when this is dropped.
    grown: watch::Sender<()>,
    redaction_key: OnceLock<[u8; 32]>,
}

struct Shared(Mutex<State>);

impl MemoryJournal {
    /// An empty journal that keeps everything.
    #[must_use]
    pub fn new() -> Self {
        Self::keeping(State::default())
    }

    /// An empty journal that keeps about `entries` entries: whenever there are more, whole calls are
    /// forgotten, in the order in which they ended. Calls that have not ended are kept whatever their
    /// number. What was claimed is never forgotten; a claim takes about 100 bytes.
    ///
    /// Readers who come too late are told ([`JournalError::Lagged`]). A forgotten call is never taken for
    /// a new one ([`JournalError::Forgotten`]): the newest 65,536 of their ids are remembered, and of
    /// older ids it is not said that they are new.
    #[must_use]
    pub fn with_capacity_limit(entries: usize) -> Self {
        Self::keeping(State::with_capacity_limit(entries))
    }

    fn keeping(state: State) -> Self {
        Self {
            shared: Arc::new(Shared(Mutex::new(state))),
            grown: watch::Sender::new(()),
            redaction_key: OnceLock::new(),
        }
    }
}

/// How many entries a journal keeps if nobody says so: those of about a thousand calls.
const ENTRIES: usize = 1 << 14;

/// A journal that keeps the last 16,384 entries or so. A sender who repeats a call that it has forgotten
/// is refused: hosts whose senders repeat themselves late keep everything, or a file.
impl Default for MemoryJournal {
    fn default() -> Self {
        Self::with_capacity_limit(ENTRIES)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while the lock is held, so the state is never half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Journal for MemoryJournal {
    fn append(&self, batch: Batch) -> Commit {
        let coming = Coming::of(&batch.drafts);
        let mut state = self.shared.state();
        let result = state.append(batch, coming);
        let garbage = state.take_garbage();
        drop(state);
        drop(garbage);
        // Whoever subscribes after this look reads what was appended before it.
        if self.grown.receiver_count() > 0 {
            self.grown.send_replace(());
        }
        Commit::settled(result)
    }

    fn read(&self, from: Seq, limit: usize) -> Answer<'_, Vec<Arc<Entry>>> {
        self.shared.page(from, limit)
    }

    fn of_call(&self, invocation: InvocationId) -> Answer<'_, Vec<Arc<Entry>>> {
        answer(self.shared.state().of_call(invocation))
    }

    fn held(&self) -> Answer<'_, Vec<Held>> {
        answer(Ok(self.shared.state().held()))
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
