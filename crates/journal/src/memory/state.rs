//! The contents of a journal in memory.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use assent_ids::InvocationId;

use super::forgotten::Forgotten;
use crate::{Batch, Claim, Draft, Entry, Fact, JournalError, SavedState, Seq, steps};

pub(super) struct State {
    last: u64,
    /// By sequence number. Forgotten entries leave gaps.
    entries: BTreeMap<u64, Arc<Entry>>,
    calls: BTreeMap<InvocationId, CallRecord>,
    /// The number of times that each key was claimed.
    claims: BTreeMap<Arc<str>, u32>,
    /// The number of entries above which something is forgotten.
    limit: usize,
    /// What can be forgotten, oldest first.
    forgettable: VecDeque<Forgettable>,
    forgotten: Forgotten,
}

/// A call that has not been forgotten.
#[derive(Default)]
struct CallRecord {
    /// The sequence numbers of its entries.
    entries: Vec<u64>,
    saved: Option<Arc<[u8]>>,
}

/// Entries to which no more are added.
enum Forgettable {
    /// The entries of a call that has ended.
    Call(InvocationId),
    /// An entry that belongs to no call.
    Note(u64),
}

impl State {
    pub(super) fn with_limit(limit: usize) -> Self {
        Self {
            last: 0,
            entries: BTreeMap::new(),
            calls: BTreeMap::new(),
            claims: BTreeMap::new(),
            limit,
            forgettable: VecDeque::new(),
            forgotten: Forgotten::default(),
        }
    }

    pub(super) fn append(&mut self, batch: Batch) -> Result<Seq, JournalError> {
        let Batch { drafts, claims, save, release } = batch;
        let drafted = drafts.iter().map(|draft| (draft.invocation, draft.step));
        steps::check(drafted, |call| self.next_step(call))?;
        self.claim(&claims)?;
        if let Some(SavedState { invocation, bytes }) = save {
            self.calls.entry(invocation).or_default().saved = Some(bytes);
        }
        for draft in drafts {
            self.add(draft);
        }
        if let Some(call) = release {
            self.release(call);
        }
        self.forget();
        Ok(self.last())
    }

    fn next_step(&self, invocation: InvocationId) -> Result<u32, JournalError> {
        match self.calls.get(&invocation) {
            Some(call) => Ok(u32::try_from(call.entries.len()).unwrap_or(u32::MAX)),
            None if self.forgotten.has(invocation) => Err(JournalError::Forgotten { invocation }),
            None => Ok(0),
        }
    }

    /// Makes all claims, or none of them if one is used up.
    fn claim(&mut self, claims: &[Claim]) -> Result<(), JournalError> {
        let mut used: BTreeMap<&Arc<str>, u32> = BTreeMap::new();
        for claim in claims {
            let count = used.entry(&claim.key).or_insert_with(|| self.claimed(&claim.key));
            if *count >= claim.limit {
                return Err(JournalError::Claimed { key: Arc::clone(&claim.key) });
            }
            *count += 1;
        }
        self.claims.extend(used.into_iter().map(|(key, count)| (Arc::clone(key), count)));
        Ok(())
    }

    fn add(&mut self, draft: Draft) {
        self.last += 1;
        let ends = matches!(draft.fact, Fact::Ended(_));
        match draft.invocation {
            Some(invocation) => {
                self.calls.entry(invocation).or_default().entries.push(self.last);
                self.forgettable.extend(ends.then_some(Forgettable::Call(invocation)));
            }
            None => self.forgettable.push_back(Forgettable::Note(self.last)),
        }
        self.entries.insert(self.last, Arc::new(Entry { seq: Seq(self.last), draft }));
    }

    /// Erases the saved state of a call. A call without entries is then unknown.
    fn release(&mut self, invocation: InvocationId) {
        let Some(call) = self.calls.get_mut(&invocation) else { return };
        call.saved = None;
        if call.entries.is_empty() {
            self.calls.remove(&invocation);
        }
    }

    fn forget(&mut self) {
        while self.entries.len() > self.limit
            && let Some(oldest) = self.forgettable.pop_front()
        {
            match oldest {
                Forgettable::Note(seq) => drop(self.entries.remove(&seq)),
                Forgettable::Call(invocation) => {
                    self.forgotten.add(invocation);
                    let call = self.calls.remove(&invocation).unwrap_or_default();
                    for seq in call.entries {
                        self.entries.remove(&seq);
                    }
                }
            }
        }
    }

    pub(super) fn read(&self, from: Seq, limit: usize) -> Result<Vec<Arc<Entry>>, JournalError> {
        let from = from.max(Seq::FIRST).0;
        let mut found = Vec::new();
        for ((seq, entry), expected) in self.entries.range(from..).zip(from..).take(limit) {
            if *seq != expected {
                // A page ends before a gap. A page that would begin in one is an error.
                return match found.is_empty() {
                    true => Err(JournalError::Lagged { next: Seq(*seq) }),
                    false => Ok(found),
                };
            }
            found.push(Arc::clone(entry));
        }
        Ok(found)
    }

    pub(super) fn of_call(
        &self,
        invocation: InvocationId,
    ) -> Result<Vec<Arc<Entry>>, JournalError> {
        match self.calls.get(&invocation) {
            Some(call) => {
                let entries = call.entries.iter().filter_map(|seq| self.entries.get(seq));
                Ok(entries.cloned().collect())
            }
            None if self.forgotten.may_have(invocation) => {
                Err(JournalError::Forgotten { invocation })
            }
            None => Ok(Vec::new()),
        }
    }

    pub(super) fn saved_states(&self) -> Vec<SavedState> {
        let saved = |(invocation, call): (&InvocationId, &CallRecord)| {
            Some(SavedState { invocation: *invocation, bytes: call.saved.clone()? })
        };
        self.calls.iter().filter_map(saved).collect()
    }

    pub(super) fn claimed(&self, key: &str) -> u32 {
        self.claims.get(key).copied().unwrap_or_default()
    }

    pub(super) fn last(&self) -> Seq {
        Seq(self.last)
    }
}
