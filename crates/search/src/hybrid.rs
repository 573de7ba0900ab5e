//! Words and meaning together.

use std::{collections::BTreeSet, fmt, sync::Arc};

use crate::{
    IMPACT_UNIT, MAX_QUERY_BYTES, Meaning, ToolText, WEIGHT_UNIT,
    directions::{Direction, Directions},
    meaning::sentence,
    query::QueryTerm,
    sweep::sweep,
    top::{Candidate, Top},
};

/// What being about the very same thing is worth: about as much as two or three rare words. More finds more of
/// what was asked for in other words, and less of what was asked for in the same.
const SAME: f32 = 15.0;

/// A tool that has none of the words is found if its likeness is at least this. Most tools that have nothing
/// to do with a query stay below.
pub const LEAST_LIKENESS: f32 = 0.25;

/// So many are looked at from each side: the best by words and the best by meaning.
const CANDIDATES: usize = 64;

/// What tools are about.
pub(crate) struct Sense {
    meaning: Arc<dyn Meaning>,
    directions: Directions,
}

impl Sense {
    pub(crate) fn new(meaning: Arc<dyn Meaning>) -> Self {
        Self { meaning, directions: Directions::default() }
    }

    /// Learns what a tool is about.
    pub(crate) fn put(&mut self, slot: u32, text: &ToolText<'_>) {
        let direction = self.direction(&sentence(text));
        self.directions.put(slot, direction.as_ref());
    }

    pub(crate) fn forget(&mut self, slot: u32) {
        self.directions.forget(slot);
    }

    /// What a query is about, if it says anything.
    pub(crate) fn asked(&self, query: &str) -> Option<Asked<'_>> {
        let query = query.get(..query.floor_char_boundary(MAX_QUERY_BYTES)).unwrap_or(query);
        let direction = self.direction(query)?;
        Some(Asked { directions: &self.directions, direction })
    }

    fn direction(&self, text: &str) -> Option<Direction> {
        Direction::of(&self.meaning.direction(text)?)
    }
}

impl fmt::Debug for Sense {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sense").field("directions", &self.directions).finish_non_exhaustive()
    }
}

/// A query that somebody has understood.
pub(crate) struct Asked<'s> {
    directions: &'s Directions,
    direction: Direction,
}

impl Asked<'_> {
    /// How much a tool is about it.
    pub(crate) fn likeness(&self, slot: u32) -> f32 {
        self.directions.likeness(slot, &self.direction)
    }
}

/// The best by words and meaning together, among those that are good by either. `key_of` tells the key of a
/// tool that is wanted.
///
/// Both are added up, so that they make up for each other: words decide where a query has telling ones, and
/// meaning where it has none.
pub(crate) fn rank(
    terms: &[QueryTerm<'_>],
    asked: &Asked<'_>,
    limit: usize,
    mut key_of: impl FnMut(u32) -> Option<u32>,
) -> Vec<Candidate> {
    let mut by_words = Top::new(limit.max(CANDIDATES));
    sweep(terms, &mut by_words, &mut key_of);
    let by_words = by_words.into_sorted();
    let by_meaning = alike(asked, limit.max(CANDIDATES), key_of);
    let mut best = Top::new(limit);
    let seen: BTreeSet<u32> = by_words.iter().map(|candidate| candidate.slot).collect();
    for found in by_words {
        best.offer(Candidate { sum: found.sum + worth(asked.likeness(found.slot)), ..found });
    }
    for found in by_meaning.into_iter().filter(|found| !seen.contains(&found.slot)) {
        best.offer(Candidate { sum: found.sum + sum_of_words(terms, found.slot), ..found });
    }
    best.into_sorted()
}

/// The tools that are about the same, best first.
fn alike(
    asked: &Asked<'_>,
    limit: usize,
    mut key_of: impl FnMut(u32) -> Option<u32>,
) -> Vec<Candidate> {
    let mut top = Top::new(limit);
    let all = asked.directions.each(&asked.direction);
    for (slot, likeness) in all.filter(|(_, likeness)| *likeness >= LEAST_LIKENESS) {
        let sum = worth(likeness);
        if sum >= top.threshold()
            && let Some(key) = key_of(slot)
        {
            top.offer(Candidate { sum, key: std::cmp::Reverse(key), slot });
        }
    }
    top.into_sorted()
}

/// What a likeness is worth, in the whole numbers in which words are added up.
fn worth(likeness: f32) -> i32 {
    let unit = f64::from(WEIGHT_UNIT) * f64::from(IMPACT_UNIT);
    #[expect(clippy::cast_possible_truncation, reason = "a likeness is at most about one")]
    let worth = (f64::from(likeness.clamp(0.0, 1.0)) * f64::from(SAME) * unit).round() as i32;
    worth
}

fn sum_of_words(terms: &[QueryTerm<'_>], slot: u32) -> i32 {
    let added = |term: &QueryTerm<'_>| Some(term.weight * term.postings.find(slot)?.impact());
    terms.iter().filter_map(added).sum()
}
