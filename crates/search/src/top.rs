//! The best of what was seen so far.

use std::{cmp::Reverse, collections::BinaryHeap};

/// A tool and its score. The better one is the larger one: a higher score, then a smaller key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    pub(crate) sum: i32,
    pub(crate) key: Reverse<u32>,
    pub(crate) slot: u32,
}

/// A bounded heap of candidates.
pub(crate) struct Top {
    heap: BinaryHeap<Reverse<Candidate>>,
    limit: usize,
}

impl Top {
    pub(crate) const fn new(limit: usize) -> Self {
        Self { heap: BinaryHeap::new(), limit }
    }

    /// The smallest sum that may be among the best. An equal sum may be, depending on its key.
    pub(crate) fn threshold(&self) -> i32 {
        match self.heap.peek() {
            Some(Reverse(worst)) if self.heap.len() >= self.limit => worst.sum,
            _ => 1,
        }
    }

    pub(crate) fn offer(&mut self, candidate: Candidate) {
        if self.heap.len() < self.limit {
            self.heap.push(Reverse(candidate));
        } else if let Some(mut worst) = self.heap.peek_mut()
            && worst.0 < candidate
        {
            *worst = Reverse(candidate);
        }
    }

    /// Best first.
    pub(crate) fn into_sorted(self) -> Vec<Candidate> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(candidate)| candidate).collect()
    }
}
