//! A disk between a runtime and its journal that a test controls.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use assent_ids::InvocationId;
use assent_journal::{
    Answer, Batch, Commit, Entry, Journal, JournalError, MemoryJournal, Receipt, SavedState, Seq,
    Subscription,
};
use assent_test_journal::Audited;

/// Passes on batches, or keeps them waiting.
pub struct Disk {
    journal: Arc<MemoryJournal>,
    lags: AtomicBool,
    /// Keeps what uses something up, whether it lags or not.
    keeps_claims: bool,
    /// Refuses the first batch for which this holds, and every later one.
    breaks: Option<fn(&Batch) -> bool>,
    is_broken: AtomicBool,
    waiting: Mutex<Vec<(Batch, Receipt)>>,
    batches: AtomicU64,
}

impl Disk {
    /// One that writes at once, until it lags.
    pub fn over(journal: &Audited) -> Arc<Self> {
        Arc::new(Self::new(journal, false))
    }

    /// One that breaks at the first batch for which `breaks` holds.
    pub fn that_breaks(journal: &Audited, breaks: fn(&Batch) -> bool) -> Arc<Self> {
        Arc::new(Self { breaks: Some(breaks), ..Self::new(journal, false) })
    }

    /// One whose machine goes down at the moment in which a call would use up a permission.
    pub fn that_goes_down(journal: &Audited) -> Arc<Self> {
        Arc::new(Self::new(journal, true))
    }

    fn new(journal: &Audited, keeps_claims: bool) -> Self {
        Self {
            journal: journal.shared(),
            lags: AtomicBool::new(false),
            keeps_claims,
            breaks: None,
            is_broken: AtomicBool::new(false),
            waiting: Mutex::default(),
            batches: AtomicU64::new(0),
        }
    }

    /// From now on nothing is written.
    pub fn lag(&self) {
        self.lags.store(true, Ordering::SeqCst);
    }

    /// Writes what waits.
    pub async fn write(&self) {
        let waiting = std::mem::take(&mut *self.waiting.lock().unwrap());
        for (batch, receipt) in waiting {
            receipt.settle(self.journal.append(batch).await);
        }
    }

    /// How much it was given.
    pub fn batches(&self) -> u64 {
        self.batches.load(Ordering::SeqCst)
    }
}

impl Journal for Disk {
    fn append(&self, batch: Batch) -> Commit {
        self.batches.fetch_add(1, Ordering::SeqCst);
        if self.breaks.is_some_and(|breaks| breaks(&batch)) {
            self.is_broken.store(true, Ordering::SeqCst);
        }
        if self.is_broken.load(Ordering::SeqCst) {
            let what = "the disk is broken".to_owned();
            return Commit::settled(Err(JournalError::Unavailable(what)));
        }
        let keeps = self.keeps_claims && !batch.claims.is_empty();
        if !keeps && !self.lags.load(Ordering::SeqCst) {
            return self.journal.append(batch);
        }
        let (receipt, commit) = Commit::pending();
        self.waiting.lock().unwrap().push((batch, receipt));
        commit
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
