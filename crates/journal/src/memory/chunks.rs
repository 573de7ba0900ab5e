//! All batches, in order.

use std::collections::VecDeque;

use super::{
    chunk::{Chunk, Entries},
    lane::Lane,
    places::Place,
};
use crate::Drafts;

/// The batches that are kept, by the place of their first entry.
///
/// Most are forgotten in the order in which they came. One that is not leaves a gap where it was; when
/// there are more gaps than batches they are closed, so that a call that never ends costs no memory.
#[derive(Default)]
pub(super) struct Chunks {
    /// Sorted by the place of their first entry.
    all: VecDeque<Chunk>,
    /// How many of them are forgotten.
    gaps: usize,
    /// How many batches there were before the oldest of these.
    gone: u64,
}

impl Chunks {
    /// Adds the newest batch, which is about `calls` calls.
    pub(super) fn push(&mut self, first: u64, drafts: Drafts, calls: usize) -> Place {
        let number = self.gone.saturating_add(self.all.len() as u64);
        self.all.push_back(Chunk::new(first, drafts, calls));
        Place { first, number }
    }

    /// The batch that has this place.
    pub(super) fn get_mut(&mut self, place: Place) -> Option<&mut Chunk> {
        let at = self.position(place);
        self.all.get_mut(at).filter(|chunk| chunk.first() == place.first)
    }

    /// The batches from the one on that holds the place `from`, or would; forgotten ones are left out.
    pub(super) fn from(&mut self, from: u64) -> impl Iterator<Item = &mut Chunk> {
        let behind = self.all.partition_point(|chunk| chunk.first() <= from);
        let all = self.all.range_mut(behind.saturating_sub(1)..);
        all.filter(|chunk| !chunk.is_forgotten())
    }

    /// Forgets one call of a batch. If it was the last one, the entries are handed out to be freed.
    pub(super) fn forget_call(&mut self, place: Place) -> Option<(Lane, Entries)> {
        let forgotten = self.get_mut(place)?.forget_call()?;
        self.gaps += 1;
        while self.all.front().is_some_and(Chunk::is_forgotten) {
            self.all.pop_front();
            self.gaps -= 1;
            self.gone += 1;
        }
        if self.gaps > self.all.len() / 2 {
            self.all.retain(|chunk| !chunk.is_forgotten());
            self.gone += self.gaps as u64;
            self.gaps = 0;
        }
        Some(forgotten)
    }

    fn position(&self, place: Place) -> usize {
        let guess = usize::try_from(place.number.wrapping_sub(self.gone)).unwrap_or(usize::MAX);
        if self.all.get(guess).is_some_and(|chunk| chunk.first() == place.first) {
            return guess;
        }
        // A gap behind it was closed since.
        self.all.partition_point(|chunk| chunk.first() < place.first)
    }
}
