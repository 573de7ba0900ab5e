//! The words of all tools.

use std::hash::{BuildHasher as _, RandomState};

use hashbrown::HashTable;

use crate::{posting_list::PostingList, slab::Slab};

/// The number of shards. Each grows by itself, so that no insertion rebuilds a large table.
const SHARDS: u64 = 256;

/// A word and the tools that have it.
#[derive(Debug)]
pub(crate) struct Term {
    text: Box<str>,
    pub(crate) postings: PostingList,
}

/// All words, by text and by number.
///
/// The hasher has a random seed, so that a producer cannot choose words that collide. The order of the
/// tables is never visible.
#[derive(Debug)]
pub(crate) struct Dictionary {
    hasher: RandomState,
    shards: Box<[HashTable<u32>]>,
    terms: Slab<Term>,
}

impl Default for Dictionary {
    fn default() -> Self {
        let shards = (0..SHARDS).map(|_| HashTable::new()).collect();
        Self { hasher: RandomState::new(), shards, terms: Slab::default() }
    }
}

impl Dictionary {
    pub(crate) fn find(&self, text: &str) -> Option<(u32, &PostingList)> {
        let hash = self.hasher.hash_one(text);
        let shard = self.shards.get(shard_of(hash))?;
        let number = *shard.find(hash, |number| has_text(&self.terms, *number, text))?;
        Some((number, &self.terms.get(number)?.postings))
    }

    /// Returns the number of a word, and assigns one to a new word.
    pub(crate) fn intern(&mut self, text: &str) -> Option<u32> {
        let Self { hasher, shards, terms } = self;
        let hash = hasher.hash_one(text);
        let shard = shards.get_mut(shard_of(hash))?;
        if let Some(number) = shard.find(hash, |number| has_text(terms, *number, text)) {
            return Some(*number);
        }
        let number = terms.insert(Term { text: text.into(), postings: PostingList::default() });
        shard.insert_unique(hash, number, |number| {
            terms.get(*number).map_or(0, |term| hasher.hash_one(&*term.text))
        });
        Some(number)
    }

    pub(crate) fn postings_mut(&mut self, number: u32) -> Option<&mut PostingList> {
        self.terms.get_mut(number).map(|term| &mut term.postings)
    }

    /// Removes a word that no tool has.
    pub(crate) fn forget_if_unused(&mut self, number: u32) {
        let Some(term) = self.terms.get(number).filter(|term| term.postings.len() == 0) else {
            return;
        };
        let hash = self.hasher.hash_one(&*term.text);
        if let Some(shard) = self.shards.get_mut(shard_of(hash))
            && let Ok(entry) = shard.find_entry(hash, |other| *other == number)
        {
            entry.remove();
        }
        self.terms.remove(number);
    }
}

fn has_text(terms: &Slab<Term>, number: u32, text: &str) -> bool {
    terms.get(number).is_some_and(|term| &*term.text == text)
}

/// The tables use the other bits.
fn shard_of(hash: u64) -> usize {
    usize::try_from((hash >> 32) % SHARDS).unwrap_or_default()
}
