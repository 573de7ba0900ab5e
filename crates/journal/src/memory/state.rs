//! Everything that a journal in memory knows.

#[expect(
    clippy::disallowed_types,
    reason = "looked up by key only, so order cannot show; a tree of all calls costs three times the time"
)]
use std::collections::HashMap;
use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use assent_ids::InvocationId;

use super::{chunk::Chunk, claims::Claims};
use crate::{Batch, Draft, Entry, Fact, Held, JournalError, Seq, steps};

#[derive(Default)]
pub(super) struct State {
    last: u64,
    /// By the place of their first entry. Forgotten ones leave holes.
    chunks: BTreeMap<u64, Chunk>,
    #[expect(clippy::disallowed_types, reason = "looked up by key only, so order cannot show")]
    calls: HashMap<InvocationId, Call>,
    claims: Claims,
    held: BTreeMap<InvocationId, crate::State>,
    retention: Option<Retention>,
    forgotten: Vec<Chunk>,
}

/// What is known of a call besides its entries.
#[derive(Default)]
struct Call {
    next_step: u32,
    chunks: Vec<u64>,
}

struct Retention {
    limit: usize,
    kept: usize,
    /// What can be forgotten, oldest first.
    done: VecDeque<Done>,
}

/// Something that nobody adds to any longer.
enum Done {
    Call(InvocationId),
    /// A chunk that is about no call.
    Catalog(u64),
}

impl State {
    pub(super) fn with_capacity_limit(limit: usize) -> Self {
        let retention = Retention { limit, kept: 0, done: VecDeque::new() };
        Self { retention: Some(retention), ..Self::default() }
    }

    pub(super) fn append(&mut self, batch: Batch) -> Result<Seq, JournalError> {
        let Batch { drafts, claims, hold, release } = batch;
        let next_steps = steps::advance(steps::of(&drafts), |call| {
            Ok::<_, JournalError>(self.calls.get(&call).map_or(0, |known| known.next_step))
        })?;
        self.claims.take(&claims)?;
        if let Some(Held { invocation, state }) = hold {
            self.held.insert(invocation, state);
        }
        if let Some(call) = release {
            self.held.remove(&call);
        }
        if !drafts.is_empty() {
            self.keep(drafts, &next_steps);
        }
        self.forget();
        Ok(self.last())
    }

    fn keep(&mut self, drafts: Vec<Draft>, next_steps: &steps::NextSteps) {
        let first = self.last.saturating_add(1);
        for (invocation, next_step) in next_steps {
            let call = self.calls.entry(*invocation).or_default();
            call.next_step = *next_step;
            call.chunks.push(first);
        }
        if let Some(retention) = &mut self.retention {
            retention.note(first, &drafts, next_steps.is_empty());
        }
        self.last = self.last.saturating_add(drafts.len() as u64);
        self.chunks.insert(first, Chunk::new(drafts, next_steps.len()));
    }

    /// Forgets what was done first until there are no more entries than there may be.
    fn forget(&mut self) {
        let Some(retention) = &mut self.retention else { return };
        while retention.kept > retention.limit {
            let Some(done) = retention.done.pop_front() else { return };
            let chunks = match done {
                Done::Catalog(chunk) => vec![chunk],
                Done::Call(call) => self.calls.remove(&call).unwrap_or_default().chunks,
            };
            for first in chunks {
                let Some(chunk) = self.chunks.get_mut(&first) else { continue };
                if chunk.forget_call() {
                    retention.kept = retention.kept.saturating_sub(chunk.len());
                    self.forgotten.extend(self.chunks.remove(&first));
                }
            }
        }
    }

    /// What was forgotten since this was last asked, to be freed when the lock is not held any longer:
    /// that takes several times as long as an append.
    pub(super) fn take_forgotten(&mut self) -> Vec<Chunk> {
        std::mem::take(&mut self.forgotten)
    }

    pub(super) fn read(
        &mut self,
        from: Seq,
        limit: usize,
    ) -> Result<Vec<Arc<Entry>>, JournalError> {
        let from = from.max(Seq::FIRST).0;
        let start = self.chunks.range(..=from).next_back().map_or(from, |(first, _)| *first);
        let mut found = Vec::new();
        let mut wanted = from;
        for (first, chunk) in self.chunks.range_mut(start..) {
            let skipped = usize::try_from(wanted.saturating_sub(*first)).unwrap_or(usize::MAX);
            if *first > wanted {
                // A hole: the answer ends before it, or says where it goes on.
                let next = Seq(*first);
                return if found.is_empty() {
                    Err(JournalError::Lagged { next })
                } else {
                    Ok(found)
                };
            }
            let room = limit.saturating_sub(found.len());
            found.extend(chunk.shared(*first).iter().skip(skipped).take(room).cloned());
            if found.len() >= limit {
                break;
            }
            wanted = from.saturating_add(found.len() as u64);
        }
        Ok(found)
    }

    pub(super) fn of_call(&mut self, invocation: InvocationId) -> Vec<Arc<Entry>> {
        let mut found = Vec::new();
        let Some(call) = self.calls.get(&invocation) else { return found };
        for first in &call.chunks {
            if let Some(chunk) = self.chunks.get_mut(first) {
                found.extend(Chunk::about(chunk.shared(*first), invocation).cloned());
            }
        }
        found
    }

    pub(super) fn held(&self) -> Vec<Held> {
        let each = self.held.iter();
        each.map(|(call, state)| Held { invocation: *call, state: state.clone() }).collect()
    }

    pub(super) fn claimed(&self, key: &str) -> u32 {
        self.claims.used(key)
    }

    pub(super) fn last(&self) -> Seq {
        Seq(self.last)
    }
}

impl Retention {
    /// Notes what a new chunk makes forgettable.
    fn note(&mut self, first: u64, drafts: &[Draft], is_catalog: bool) {
        self.kept = self.kept.saturating_add(drafts.len());
        if is_catalog {
            self.done.push_back(Done::Catalog(first));
        }
        let ended = drafts.iter().filter(|draft| matches!(draft.fact, Fact::Ended(_)));
        self.done.extend(ended.filter_map(|draft| draft.invocation).map(Done::Call));
    }
}
