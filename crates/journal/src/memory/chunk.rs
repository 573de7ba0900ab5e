//! What one batch left in the journal.

use std::sync::Arc;

use assent_ids::InvocationId;

use crate::{Draft, Entry, Seq};

/// The entries of one batch. They stay as they came until somebody reads them: an append then costs
/// the same for one fact and for twenty.
pub(super) struct Chunk {
    entries: Entries,
    /// How many calls it has entries of that are not forgotten.
    calls: usize,
}

enum Entries {
    Fresh(Vec<Draft>),
    Shared(Vec<Arc<Entry>>),
}

impl Chunk {
    /// `drafts`, which are about `calls` calls.
    pub(super) fn new(drafts: Vec<Draft>, calls: usize) -> Self {
        Self { entries: Entries::Fresh(drafts), calls }
    }

    /// How many entries it has.
    pub(super) fn len(&self) -> usize {
        match &self.entries {
            Entries::Fresh(drafts) => drafts.len(),
            Entries::Shared(entries) => entries.len(),
        }
    }

    /// The entries, of which the first has the place `first`.
    pub(super) fn shared(&mut self, first: u64) -> &[Arc<Entry>] {
        if let Entries::Fresh(drafts) = &mut self.entries {
            let drafts = std::mem::take(drafts).into_iter();
            let share = |(draft, seq)| Arc::new(Entry { seq: Seq(seq), draft });
            self.entries = Entries::Shared(drafts.zip(first..).map(share).collect());
        }
        match &self.entries {
            Entries::Shared(entries) => entries,
            Entries::Fresh(_) => &[],
        }
    }

    /// Notes that a call is forgotten; true if none is left.
    pub(super) fn forget_call(&mut self) -> bool {
        self.calls = self.calls.saturating_sub(1);
        self.calls == 0
    }

    /// Those of `entries` that are about `invocation`.
    pub(super) fn about(
        entries: &[Arc<Entry>],
        invocation: InvocationId,
    ) -> impl Iterator<Item = &Arc<Entry>> {
        entries.iter().filter(move |entry| entry.draft.invocation == Some(invocation))
    }
}
