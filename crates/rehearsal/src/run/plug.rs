//! A journal that simulates a crash: after it, nothing is written any more.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use assent_ids::InvocationId;
use assent_journal::{
    Answer, Batch, Commit, Entry, Journal, JournalError, MemoryJournal, Receipt, SavedState, Seq,
    Subscription,
};
use tokio::sync::Notify;

use super::CrashPoint;

/// The journal during one lifetime of the runtime.
#[derive(Debug)]
pub(super) struct Plugged {
    journal: Arc<MemoryJournal>,
    /// The number of batches over all lifetimes.
    count: Arc<AtomicU64>,
    crash: Option<CrashPoint>,
    is_pulled: AtomicBool,
    pulled: Notify,
    /// After a crash, waiting for a batch never ends.
    waiting: std::sync::Mutex<Vec<Receipt>>,
}

impl Plugged {
    pub(super) fn new(
        journal: Arc<MemoryJournal>,
        count: Arc<AtomicU64>,
        crash: Option<CrashPoint>,
    ) -> Self {
        Self {
            journal,
            count,
            crash,
            is_pulled: AtomicBool::new(false),
            pulled: Notify::new(),
            waiting: std::sync::Mutex::default(),
        }
    }

    pub(super) fn pull(&self) {
        self.is_pulled.store(true, Ordering::SeqCst);
        self.pulled.notify_one();
    }

    /// Waits for the crash.
    pub(super) async fn pulled(&self) {
        self.pulled.notified().await;
    }

    /// Never completes, like a write of a process that died.
    fn silence(&self) -> Commit {
        let (receipt, commit) = Commit::pending();
        self.waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(receipt);
        commit
    }
}

impl Journal for Plugged {
    fn append(&self, batch: Batch) -> Commit {
        if self.is_pulled.load(Ordering::SeqCst) {
            return Commit::settled(Err(JournalError::Unavailable(
                "the plug was pulled".to_owned(),
            )));
        }
        let number = self.count.fetch_add(1, Ordering::SeqCst) + 1;
        match self.crash {
            Some(CrashPoint::Before(point)) if point == number => {
                self.pull();
                self.silence()
            }
            Some(CrashPoint::After(point)) if point == number => {
                drop(self.journal.append(batch));
                self.pull();
                self.silence()
            }
            _ => self.journal.append(batch),
        }
    }

    fn read(&self, from: Seq, limit: usize) -> Answer<'_, Vec<Arc<Entry>>> {
        self.journal.read(from, limit)
    }

    fn of_call(&self, invocation: InvocationId) -> Answer<'_, Vec<Arc<Entry>>> {
        self.journal.of_call(invocation)
    }

    fn saved_states(&self) -> Answer<'_, Vec<SavedState>> {
        self.journal.saved_states()
    }

    fn claimed(&self, key: &str) -> Answer<'_, u32> {
        self.journal.claimed(key)
    }

    fn last(&self) -> Answer<'_, Seq> {
        self.journal.last()
    }

    fn redaction_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], JournalError> {
        self.journal.redaction_key(fresh)
    }

    fn subscribe(&self, from: Seq) -> Subscription {
        self.journal.subscribe(from)
    }
}
