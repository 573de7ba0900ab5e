//! Adds up scores, block by block.
//!
//! The sums are exact and complete for every tool that is offered; what is left out could not have
//! been among the best. Two bounds decide that. A block whose words together cannot reach the worst of
//! the best is passed over. And within a block, the words are taken from the most to the least
//! promising: once those that remain could not lift a tool by themselves, they are only looked up for
//! the tools that are already well on their way.

use std::cmp::Reverse;

use crate::{
    posting::{BLOCK, join},
    posting_list::Block,
    query::QueryTerm,
    top::{Candidate, Top},
};

/// Looking up one posting takes as long as reading so many in a row.
const LOOK_UP_COST: usize = 32;

/// How many sums are compared at once.
const LANES: usize = 16;

/// Offers to `top` all tools that may belong there. `key_of` returns the key of a wanted tool.
pub(crate) fn sweep(
    terms: &[QueryTerm<'_>],
    top: &mut Top,
    mut key_of: impl FnMut(u32) -> Option<u32>,
) {
    let mut sums = Sums::new();
    let mut lists: Vec<(i32, &[Block])> =
        terms.iter().map(|term| (term.weight, term.postings.blocks())).collect();
    let mut parts = Vec::with_capacity(terms.len());
    while let Some(number) = take_next_block(&mut lists, &mut parts) {
        sums.add_up(&parts, top.threshold());
        sums.for_each_complete(top.threshold(), |offset, sum| {
            let slot = join(number, offset);
            if let Some(key) = key_of(slot) {
                top.offer(Candidate { sum, key: Reverse(key), slot });
            }
            top.threshold()
        });
    }
}

/// The postings of one word within the block.
struct Part<'i> {
    weight: i32,
    /// What the word adds at most.
    bound: i32,
    block: &'i Block,
}

/// Takes what all lists have of the next block, the most promising first.
fn take_next_block<'i>(lists: &mut [(i32, &'i [Block])], parts: &mut Vec<Part<'i>>) -> Option<u32> {
    let next = lists.iter().filter_map(|(_, blocks)| blocks.first()).map(Block::number).min()?;
    parts.clear();
    for (weight, blocks) in lists {
        if let Some((block, rest)) = blocks.split_first()
            && block.number() == next
        {
            parts.push(Part { weight: *weight, bound: *weight * block.max_impact(), block });
            *blocks = rest;
        }
    }
    parts.sort_unstable_by_key(|part| Reverse(part.bound));
    Some(next)
}

/// The tools whose sums are complete.
enum Complete {
    /// None: the block cannot reach the threshold.
    None,
    /// The candidates.
    Candidates,
    /// All tools.
    All,
}

/// The scores of the tools of one block.
struct Sums {
    /// At most 64 words of 24 bits each: they cannot overflow.
    sums: [i32; BLOCK],
    /// How many of the sums are in use.
    extent: usize,
    /// Places of the tools that may reach the threshold.
    candidates: Vec<usize>,
    complete: Complete,
}

impl Sums {
    const fn new() -> Self {
        Self { sums: [0; BLOCK], extent: 0, candidates: Vec::new(), complete: Complete::None }
    }

    /// Makes the sums of all tools complete that may reach the threshold.
    fn add_up(&mut self, parts: &[Part<'_>], threshold: i32) {
        let mut remaining: i32 = parts.iter().map(|part| part.bound).sum();
        if remaining < threshold {
            self.complete = Complete::None;
            return;
        }
        self.clear(parts);
        let mut parts = parts.iter();
        while remaining >= threshold
            || self.is_adding_cheaper(parts.as_slice(), threshold - remaining)
        {
            let Some(part) = parts.next() else {
                self.complete = Complete::All;
                return;
            };
            self.add_all(part);
            remaining -= part.bound;
        }
        self.complete = Complete::Candidates;
        self.find_candidates(threshold - remaining);
        for part in parts {
            self.add_to_candidates(part);
            remaining -= part.bound;
            self.keep_candidates(threshold - remaining);
        }
    }

    /// Calls back for each complete sum that reaches the threshold; the callback returns the next threshold.
    fn for_each_complete(&self, threshold: i32, mut found: impl FnMut(usize, i32) -> i32) {
        match self.complete {
            Complete::None => {}
            Complete::All => for_each_at_least(self.used(), threshold, found),
            Complete::Candidates => {
                let mut threshold = threshold;
                for offset in &self.candidates {
                    if let Some(sum) = self.sums.get(*offset).filter(|sum| **sum >= threshold) {
                        threshold = found(*offset, *sum);
                    }
                }
            }
        }
    }

    fn clear(&mut self, parts: &[Part<'_>]) {
        self.extent = parts.iter().map(|part| part.block.extent()).max().unwrap_or_default();
        if let Some(used) = self.sums.get_mut(..self.extent) {
            used.fill(0);
        }
    }

    fn used(&self) -> &[i32] {
        self.sums.get(..self.extent).unwrap_or_default()
    }

    fn add_all(&mut self, part: &Part<'_>) {
        for posting in part.block.postings() {
            if let Some(sum) = self.sums.get_mut(posting.offset()) {
                *sum += part.weight * posting.impact();
            }
        }
    }

    /// Whether looking up the tools that are well on their way takes longer than reading all postings.
    fn is_adding_cheaper(&self, parts: &[Part<'_>], at_least: i32) -> bool {
        let postings: usize = parts.iter().map(|part| part.block.postings().len()).sum();
        // Counted in the type of the sums, so that several are counted at once.
        let candidates: i32 = self.used().iter().map(|sum| i32::from(*sum >= at_least)).sum();
        let look_ups = usize::try_from(candidates).unwrap_or_default() * parts.len();
        look_ups * LOOK_UP_COST >= postings
    }

    fn find_candidates(&mut self, at_least: i32) {
        let Self { sums, extent, candidates, .. } = self;
        candidates.clear();
        for_each_at_least(sums.get(..*extent).unwrap_or_default(), at_least, |offset, _| {
            candidates.push(offset);
            at_least
        });
    }

    fn add_to_candidates(&mut self, part: &Part<'_>) {
        let Self { sums, candidates, .. } = self;
        for offset in candidates {
            if let Some(posting) = part.block.find(*offset)
                && let Some(sum) = sums.get_mut(*offset)
            {
                *sum += part.weight * posting.impact();
            }
        }
    }

    fn keep_candidates(&mut self, at_least: i32) {
        let Self { sums, candidates, .. } = self;
        candidates.retain(|offset| sums.get(*offset).is_some_and(|sum| *sum >= at_least));
    }
}

/// Calls back for each sum that reaches the threshold; the callback returns the next threshold.
fn for_each_at_least(sums: &[i32], mut at_least: i32, mut found: impl FnMut(usize, i32) -> i32) {
    for (group, sums) in sums.chunks(LANES).enumerate() {
        // Without a branch for each, several are compared at once; and few groups have any.
        if !sums.iter().fold(false, |any, sum| any | (*sum >= at_least)) {
            continue;
        }
        for (place, sum) in sums.iter().enumerate() {
            if *sum >= at_least {
                at_least = found(group * LANES + place, *sum);
            }
        }
    }
}
