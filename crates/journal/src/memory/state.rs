//! Everything that a journal in memory knows.

use std::{collections::VecDeque, sync::Arc};

use assent_ids::{InvocationId, Table};

use super::{
    chunk::Entries,
    chunks::Chunks,
    claims::Claims,
    coming::Coming,
    forgotten::Forgotten,
    garbage::Garbage,
    places::{Place, Places},
};
use crate::{Batch, Drafts, Entry, Held, JournalError, Seq, steps};

#[derive(Default)]
pub(super) struct State {
    last: u64,
    chunks: Chunks,
    calls: Table<InvocationId, Call>,
    claims: Claims,
    retention: Option<Retention>,
    forgotten: Forgotten,
    garbage: Garbage,
}

/// What is known of a call besides its entries.
#[derive(Default)]
struct Call {
    next_step: u32,
    /// The batches that speak of it.
    places: Places,
    held: Option<crate::State>,
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
    /// A batch that is about no call.
    Catalog(Place),
}

impl State {
    pub(super) fn with_capacity_limit(limit: usize) -> Self {
        let retention = Retention { limit, kept: 0, done: VecDeque::new() };
        Self { retention: Some(retention), ..Self::default() }
    }

    /// Adds a batch, of which `coming` tells what it says about calls.
    pub(super) fn append(
        &mut self,
        batch: Batch,
        coming: Option<Coming>,
    ) -> Result<Seq, JournalError> {
        let Batch { drafts, claims, hold, release } = batch;
        let coming = self.fitting(&drafts, coming)?;
        self.claims.take(&claims)?;
        if let Some(Held { invocation, state }) = hold {
            self.calls.entry(invocation).or_default().held = Some(state);
        }
        if !drafts.is_empty() {
            self.keep(drafts, &coming);
        }
        if let Some(call) = release {
            self.release(call);
        }
        self.forget();
        Ok(self.last())
    }

    /// The step that comes next for a call.
    fn next_step(&self, call: InvocationId) -> Result<u32, JournalError> {
        match self.calls.get(&call) {
            Some(known) => Ok(known.next_step),
            None if self.forgotten.has(call) => Err(JournalError::Forgotten { invocation: call }),
            None => Ok(0),
        }
    }

    /// What is coming, if every call goes on where it was.
    fn fitting(&self, drafts: &Drafts, coming: Option<Coming>) -> Result<Coming, JournalError> {
        if let Some(coming) = coming
            && coming
                .each()
                .all(|span| self.next_step(span.call).is_ok_and(|next| next == span.from))
        {
            return Ok(coming);
        }
        // Something is wrong with it, and this finds what.
        let problem = steps::advance(drafts.steps(), |call| self.next_step(call)).err();
        Err(problem.unwrap_or_else(|| JournalError::Unavailable("steps do not fit".to_owned())))
    }

    fn keep(&mut self, drafts: Drafts, coming: &Coming) {
        let first = self.last.saturating_add(1);
        self.last = self.last.saturating_add(drafts.len() as u64);
        let count = drafts.len();
        let place = self.chunks.push(first, drafts, coming.len());
        if let Some(retention) = &mut self.retention {
            retention.note(place, count, coming);
        }
        for span in coming.each() {
            let call = self.calls.entry(span.call).or_default();
            call.next_step = span.next;
            call.places.push(place);
        }
    }

    /// Nothing is held for the call any longer; if nothing else is known of it, it is unknown.
    fn release(&mut self, call: InvocationId) {
        let Some(known) = self.calls.get_mut(&call) else { return };
        known.held = None;
        if known.places.are_none() {
            self.calls.remove(&call);
        }
    }

    /// Forgets what was done first until there are no more entries than there may be.
    fn forget(&mut self) {
        while let Some(done) = self.retention.as_mut().and_then(Retention::next) {
            match done {
                Done::Catalog(place) => self.forget_in(place),
                Done::Call(call) => {
                    self.forgotten.add(call);
                    let known = self.calls.remove(&call).unwrap_or_default();
                    known.places.each().for_each(|place| self.forget_in(place));
                }
            }
        }
    }

    /// Forgets one call in a batch.
    fn forget_in(&mut self, place: Place) {
        let Some((lane, entries)) = self.chunks.forget_call(place) else { return };
        if let Some(retention) = &mut self.retention {
            retention.kept = retention.kept.saturating_sub(entries.len());
        }
        self.garbage.add(lane, entries);
    }

    /// What was forgotten, to be freed when the lock is not held any longer: that takes several times as
    /// long as an append.
    pub(super) fn take_garbage(&mut self) -> Vec<Entries> {
        self.garbage.take()
    }

    pub(super) fn read(
        &mut self,
        from: Seq,
        limit: usize,
    ) -> Result<Vec<Arc<Entry>>, JournalError> {
        let from = from.max(Seq::FIRST).0;
        let mut found = Vec::new();
        let mut wanted = from;
        for chunk in self.chunks.from(from) {
            let first = chunk.first();
            if first > wanted {
                // A hole: the answer ends before it, or says where it goes on.
                let next = Seq(first);
                return if found.is_empty() {
                    Err(JournalError::Lagged { next })
                } else {
                    Ok(found)
                };
            }
            let skipped = usize::try_from(wanted.saturating_sub(first)).unwrap_or(usize::MAX);
            let room = limit.saturating_sub(found.len());
            found.extend(chunk.shared().iter().skip(skipped).take(room).cloned());
            if found.len() >= limit {
                break;
            }
            wanted = from.saturating_add(found.len() as u64);
        }
        Ok(found)
    }

    pub(super) fn of_call(
        &mut self,
        invocation: InvocationId,
    ) -> Result<Vec<Arc<Entry>>, JournalError> {
        let Some(call) = self.calls.get(&invocation) else {
            let may_be_forgotten = self.forgotten.may_have(invocation);
            let error = JournalError::Forgotten { invocation };
            return if may_be_forgotten { Err(error) } else { Ok(Vec::new()) };
        };
        let mut found = Vec::new();
        for place in call.places.each() {
            if let Some(chunk) = self.chunks.get_mut(place) {
                found.extend(chunk.about(invocation).cloned());
            }
        }
        Ok(found)
    }

    pub(super) fn held(&self) -> Vec<Held> {
        let held = |(call, known): (&InvocationId, &Call)| {
            Some(Held { invocation: *call, state: known.held.clone()? })
        };
        let mut all: Vec<Held> = self.calls.iter().filter_map(held).collect();
        all.sort_unstable_by_key(|held| held.invocation);
        all
    }

    pub(super) fn claimed(&self, key: &str) -> u32 {
        self.claims.used(key)
    }

    pub(super) fn last(&self) -> Seq {
        Seq(self.last)
    }
}

impl Retention {
    /// What is to be forgotten next, if anything is.
    fn next(&mut self) -> Option<Done> {
        if self.kept > self.limit { self.done.pop_front() } else { None }
    }

    /// Notes what a new batch of `count` entries makes forgettable.
    fn note(&mut self, place: Place, count: usize, coming: &Coming) {
        self.kept = self.kept.saturating_add(count);
        if coming.len() == 0 {
            self.done.push_back(Done::Catalog(place));
        }
        let ended = coming.each().filter(|span| span.ends);
        self.done.extend(ended.map(|span| Done::Call(span.call)));
    }
}
