//! Byte-pair encoding: neighbours that were seen together most often become one piece, and so on.

use std::{cmp::Reverse, collections::BinaryHeap};

/// Which neighbours become one piece.
#[derive(Debug)]
pub(crate) struct Merges {
    /// Sorted by the two pieces.
    all: Box<[Merge]>,
    /// Where those begin whose first piece has this number. Most have few, and are asked for all the time.
    begin: Box<[u32]>,
}

/// Two pieces that become one. The smaller the rank, the sooner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Merge {
    pub(crate) pair: (u32, u32),
    pub(crate) rank: u32,
    pub(crate) merged: u32,
}

/// A pair that is to be merged when its turn comes: by rank, then from the beginning on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Due {
    rank: u32,
    at: usize,
    pair: (u32, u32),
}

impl Merges {
    pub(crate) fn new(mut all: Vec<Merge>) -> Self {
        // Of two with the same pair the later one counts, as in a table that is filled from a list.
        all.sort_unstable_by_key(|merge| (merge.pair, Reverse(merge.rank)));
        all.dedup_by_key(|merge| merge.pair);
        let last = all.last().map_or(0, |merge| merge.pair.0);
        let begin = |first: u32| all.partition_point(|merge| merge.pair.0 < first);
        let begin = (0..=last.saturating_add(1)).map(|first| u32::try_from(begin(first)));
        Self { begin: begin.map(|at| at.unwrap_or(u32::MAX)).collect(), all: all.into() }
    }

    fn of(&self, pair: (u32, u32)) -> Option<Merge> {
        let first = pair.0 as usize;
        let (from, to) = (*self.begin.get(first)?, *self.begin.get(first.checked_add(1)?)?);
        let merges = self.all.get(from as usize..to as usize)?;
        let at = merges.binary_search_by_key(&pair.1, |merge| merge.pair.1).ok()?;
        merges.get(at).copied()
    }

    /// Merges what can be merged: always the pair of the smallest rank, and of equal ones the first.
    pub(crate) fn apply(&self, pieces: Vec<u32>) -> Vec<u32> {
        let mut chain = Chain::new(pieces);
        let mut waiting = BinaryHeap::new();
        for at in 0..chain.links.len() {
            waiting.extend(self.next(&chain, at));
        }
        while let Some(Reverse(Due { at, pair, .. })) = waiting.pop() {
            // What was merged with something else meanwhile is another pair now.
            let Some(merge) =
                chain.pair(at).filter(|now| *now == pair).and_then(|pair| self.of(pair))
            else {
                continue;
            };
            let before = chain.merge(at, merge.merged);
            waiting.extend(before.and_then(|before| self.next(&chain, before)));
            waiting.extend(self.next(&chain, at));
        }
        chain.into_pieces()
    }

    fn next(&self, chain: &Chain, at: usize) -> Option<Reverse<Due>> {
        let pair = chain.pair(at)?;
        Some(Reverse(Due { rank: self.of(pair)?.rank, at, pair }))
    }
}

/// Pieces that know their neighbours.
struct Chain {
    links: Vec<Link>,
}

struct Link {
    /// None if it has become part of the one before it.
    piece: Option<u32>,
    before: Option<usize>,
    after: Option<usize>,
}

impl Chain {
    fn new(pieces: Vec<u32>) -> Self {
        let last = pieces.len().saturating_sub(1);
        let link = |(at, piece)| Link {
            piece: Some(piece),
            before: usize::checked_sub(at, 1),
            after: (at < last).then_some(at + 1),
        };
        Self { links: pieces.into_iter().enumerate().map(link).collect() }
    }

    /// The piece at a place and the one behind it.
    fn pair(&self, at: usize) -> Option<(u32, u32)> {
        let link = self.links.get(at)?;
        Some((link.piece?, self.links.get(link.after?)?.piece?))
    }

    /// Makes a piece and the one behind it one. Gives the place before them.
    fn merge(&mut self, at: usize, merged: u32) -> Option<usize> {
        let gone = self.links.get(at)?.after?;
        let after = self.links.get_mut(gone).and_then(|gone| {
            gone.piece = None;
            gone.after
        });
        if let Some(after) = after.and_then(|after| self.links.get_mut(after)) {
            after.before = Some(at);
        }
        let link = self.links.get_mut(at)?;
        link.piece = Some(merged);
        link.after = after;
        link.before
    }

    fn into_pieces(self) -> Vec<u32> {
        self.links.into_iter().filter_map(|link| link.piece).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Merge, Merges};

    /// Looks through everything again after each merge.
    fn naive(merges: &Merges, mut pieces: Vec<u32>) -> Vec<u32> {
        loop {
            let pairs = pieces.windows(2).enumerate();
            let found = pairs.filter_map(|(at, pair)| Some((merges.of((pair[0], pair[1]))?, at)));
            let Some((merge, at)) = found.min_by_key(|(merge, at)| (merge.rank, *at)) else {
                return pieces;
            };
            pieces.splice(at..at + 2, [merge.merged]);
        }
    }

    proptest! {
        #[test]
        fn merging_is_the_same_as_looking_at_everything_each_time(
            pairs in prop::collection::vec((0_u32..8, 0_u32..8, 0_u32..8), 0..30),
            pieces in prop::collection::vec(0_u32..8, 0..60),
        ) {
            let merge = |(rank, (one, other, merged))| Merge { pair: (one, other), rank, merged };
            let merges = Merges::new((0..).zip(pairs).map(merge).collect());
            prop_assert_eq!(merges.apply(pieces.clone()), naive(&merges, pieces));
        }
    }
}
