//! The index: tools in, hits out.

use std::collections::BTreeMap;

use crate::{
    Hit, Reason, ToolText,
    dictionary::Dictionary,
    posting::{Posting, split},
    query::{QueryTerm, read_query},
    score::{impact, score},
    slab::Slab,
    sweep::sweep,
    top::{Candidate, Top},
    words::read_words,
};

/// Tools under the keys of the caller, to be found by their words.
///
/// Inserting and removing take time by the length of the tool's text, not by the number of tools.
#[derive(Debug, Default)]
pub struct Index {
    dictionary: Dictionary,
    tools: Slab<Tool>,
    /// The place of each key in `tools`.
    slots: BTreeMap<u32, u32>,
}

#[derive(Debug)]
struct Tool {
    key: u32,
    /// The numbers of its words, so that it can be taken out again.
    words: Box<[u32]>,
}

impl Index {
    /// An index without tools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of tools.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns `true` if there are no tools.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns `true` if there is a tool with this key.
    #[must_use]
    pub fn contains(&self, key: u32) -> bool {
        self.slots.contains_key(&key)
    }

    /// Adds a tool, or replaces the tool with the same key.
    ///
    /// Of very long texts the beginning is read: 1 KiB of a name, a namespace and a title, 4 KiB of a
    /// hint and 16 KiB of a description.
    pub fn insert(&mut self, key: u32, text: &ToolText<'_>) {
        // Remove first: removing frees words and their numbers.
        self.remove(key);
        let words = read_words(text, &mut self.dictionary);
        let numbers = words.occurrences.iter().map(|(number, _)| *number).collect();
        let slot = self.tools.insert(Tool { key, words: numbers });
        let (_, offset) = split(slot);
        for (number, occurrences) in &words.occurrences {
            if let Some(postings) = self.dictionary.postings_mut(*number) {
                let impact = impact(occurrences, &words.lengths);
                postings.insert(slot, Posting::new(offset, impact, occurrences.fields()));
            }
        }
        self.slots.insert(key, slot);
    }

    /// Removes a tool. Returns `true` if it was there.
    pub fn remove(&mut self, key: u32) -> bool {
        let Some(slot) = self.slots.remove(&key) else { return false };
        let Some(tool) = self.tools.remove(slot) else { return false };
        for number in tool.words {
            if let Some(postings) = self.dictionary.postings_mut(number) {
                postings.remove(slot);
            }
            self.dictionary.forget_if_unused(number);
        }
        true
    }

    /// Returns the tools with the best scores for a query, best first. Equal scores are ordered by key.
    ///
    /// Any text is a query: there is no syntax, and no error. Of long ones, the first
    /// [`MAX_QUERY_BYTES`](crate::MAX_QUERY_BYTES) are read and the most telling
    /// [`MAX_QUERY_TERMS`](crate::MAX_QUERY_TERMS) words count.
    #[must_use]
    pub fn search(&self, query: &str, limit: usize) -> Vec<Hit> {
        self.search_among(query, limit, |_| true)
    }

    /// Like [`search`](Self::search), but only for tools whose key `wanted` accepts.
    ///
    /// Scores are those of the whole index. The closure is called only for tools that would be among the best.
    #[must_use]
    pub fn search_among(
        &self,
        query: &str,
        limit: usize,
        mut is_wanted: impl FnMut(u32) -> bool,
    ) -> Vec<Hit> {
        if limit == 0 {
            return Vec::new();
        }
        let terms = read_query(query, &self.dictionary, self.len());
        let key_of = |slot| self.tools.get(slot).map(|tool| tool.key).filter(|key| is_wanted(*key));
        let mut top = Top::new(limit);
        sweep(&terms, &mut top, key_of);
        top.into_sorted().into_iter().map(|candidate| hit(candidate, &terms)).collect()
    }
}

fn hit(candidate: Candidate, terms: &[QueryTerm<'_>]) -> Hit {
    let mut reasons = Vec::new();
    for term in terms {
        if let Some(posting) = term.postings.find(candidate.slot) {
            let reason = |field| Reason { field, term: term.surface.clone() };
            reasons.extend(posting.fields().iter().map(reason));
        }
    }
    Hit { key: candidate.key.0, score: score(candidate.sum), reasons }
}
