//! What one batch left in the journal.

use std::sync::Arc;

use assent_ids::InvocationId;

use super::lane::Lane;
use crate::{Drafts, Entry, Seq};

/// The entries of one batch. They stay as they came until somebody reads them: an append then costs
/// the same for one fact and for twenty.
pub(super) struct Chunk {
    /// The place of the first entry.
    first: u64,
    entries: Entries,
    /// The thread that made them.
    lane: Lane,
    /// How many calls it has entries of that are not forgotten.
    calls: usize,
}

pub(super) enum Entries {
    Fresh(Drafts),
    Shared(Vec<Arc<Entry>>),
    Forgotten,
}

impl Chunk {
    /// `drafts` of this thread, which are about `calls` calls and of which the first has the place `first`.
    pub(super) fn new(first: u64, drafts: Drafts, calls: usize) -> Self {
        Self { first, entries: Entries::Fresh(drafts), lane: Lane::mine(), calls }
    }

    /// The place of its first entry.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// The entries; none if they are forgotten.
    pub(super) fn shared(&mut self) -> &[Arc<Entry>] {
        if let Entries::Fresh(drafts) = &mut self.entries {
            let drafts = std::mem::take(drafts).into_vec().into_iter();
            let share = |(draft, seq)| Arc::new(Entry { seq: Seq(seq), draft });
            self.entries = Entries::Shared(drafts.zip(self.first..).map(share).collect());
        }
        match &self.entries {
            Entries::Shared(entries) => entries,
            Entries::Fresh(_) | Entries::Forgotten => &[],
        }
    }

    /// Forgets a call, and with the last one the entries, which are handed out to be freed.
    pub(super) fn forget_call(&mut self) -> Option<(Lane, Entries)> {
        self.calls = self.calls.saturating_sub(1);
        let is_empty = self.calls == 0 && !self.is_forgotten();
        let entries = is_empty.then(|| std::mem::replace(&mut self.entries, Entries::Forgotten));
        entries.map(|entries| (self.lane, entries))
    }

    /// Whether nothing of it is left.
    pub(super) fn is_forgotten(&self) -> bool {
        matches!(self.entries, Entries::Forgotten)
    }

    /// Those of its entries that are about `invocation`.
    pub(super) fn about(&mut self, invocation: InvocationId) -> impl Iterator<Item = &Arc<Entry>> {
        self.shared().iter().filter(move |entry| entry.draft.invocation == Some(invocation))
    }
}

impl Entries {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Fresh(drafts) => drafts.len(),
            Self::Shared(entries) => entries.len(),
            Self::Forgotten => 0,
        }
    }
}
