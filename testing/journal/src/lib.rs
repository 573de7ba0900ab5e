//! Every journal of every test is audited when its test is over: each record fits its published schema,
//! each call goes only where it may, and each that has ended has exactly one result.
//!
//! Tests get journals from here and from nowhere else; `testing/architecture` sees to that.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "a test that cannot go on should stop loudly"
)]

mod audit;
mod schemas;

use std::{
    marker::PhantomData,
    ops::Deref,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use assent_journal::{Entry, Journal, JournalError, MemoryJournal, Seq};

pub use audit::audit;

/// A journal that is audited when it is dropped, in the thread of its test: it cannot be sent to another
/// thread, where a failure would go unnoticed.
#[derive(Debug)]
pub struct Audited {
    journal: Arc<MemoryJournal>,
    forgets: bool,
    _stays_here: PhantomData<*const ()>,
}

impl Audited {
    /// An empty journal.
    #[must_use]
    pub fn journal() -> Self {
        Self::over(MemoryJournal::default(), false)
    }

    /// One that forgets calls that have ended, the oldest first, when it has more entries than so many.
    /// What is left of it is audited.
    #[must_use]
    pub fn forgetting(capacity: usize) -> Self {
        Self::over(MemoryJournal::with_capacity_limit(capacity), true)
    }

    fn over(journal: MemoryJournal, forgets: bool) -> Self {
        Self { journal: Arc::new(journal), forgets, _stays_here: PhantomData }
    }

    /// The journal, for a runtime.
    #[must_use]
    pub fn shared(&self) -> Arc<MemoryJournal> {
        Arc::clone(&self.journal)
    }

    /// Everything in it.
    #[must_use]
    pub fn entries(&self) -> Vec<Arc<Entry>> {
        match self.read_from(Seq(1)) {
            Err(JournalError::Lagged { next }) if self.forgets => self.read_from(next).unwrap(),
            entries => entries.unwrap(),
        }
    }

    fn read_from(&self, first: Seq) -> Result<Vec<Arc<Entry>>, JournalError> {
        let mut reading = pin!(self.journal.read(first, usize::MAX));
        match reading.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(entries) => entries,
            Poll::Pending => panic!("a journal in memory answers at once"),
        }
    }

    fn problems(&self) -> Vec<String> {
        let entries = self.entries();
        let entries = if self.forgets { audit::kept_whole(&entries) } else { entries };
        audit(&entries).err().unwrap_or_default()
    }
}

impl Deref for Audited {
    type Target = MemoryJournal;

    fn deref(&self) -> &MemoryJournal {
        &self.journal
    }
}

impl Drop for Audited {
    fn drop(&mut self) {
        // A test that has failed says why; its journal may be half done.
        if !std::thread::panicking() {
            let problems = self.problems();
            assert!(
                problems.is_empty(),
                "the journal of the test is wrong:\n{}",
                problems.join("\n")
            );
        }
    }
}

#[cfg(test)]
mod tests;
