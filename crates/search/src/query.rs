//! Queries.

use std::collections::BTreeMap;

use crate::{
    analyse::{Kind, Token, analyse},
    dictionary::Dictionary,
    posting_list::PostingList,
    score::weight,
};

/// The longest part of a query that is read, in bytes.
pub const MAX_QUERY_BYTES: usize = 4096;

/// The most words of a query that count: those with the largest weights.
pub const MAX_QUERY_TERMS: usize = 64;

/// The weight of an ideograph relative to the pair that contains it.
const IDEOGRAPH_SHARE: f64 = 0.25;

/// A word of the query that some tool has.
pub(crate) struct QueryTerm<'i> {
    /// As the query has it.
    pub(crate) surface: String,
    pub(crate) weight: i32,
    pub(crate) postings: &'i PostingList,
}

/// The distinct known words of a query, in its order.
pub(crate) fn read_query<'i>(
    text: &str,
    dictionary: &'i Dictionary,
    tools: usize,
) -> Vec<QueryTerm<'i>> {
    let mut telling = Known::new(dictionary);
    let mut stop_words = Known::new(dictionary);
    let mut tells_something = false;
    analyse(text, MAX_QUERY_BYTES, |token| {
        if token.kind == Kind::StopWord {
            stop_words.add(token);
        } else {
            tells_something = true;
            telling.add(token);
        }
    });
    let known = if tells_something { telling } else { stop_words };
    keep_most_telling(known.weighted(tools))
}

/// Words of the query that the dictionary knows.
struct Known<'i> {
    dictionary: &'i Dictionary,
    words: Vec<Word<'i>>,
    places: BTreeMap<u32, usize>,
}

struct Word<'i> {
    surface: String,
    postings: &'i PostingList,
    share: f64,
}

impl<'i> Known<'i> {
    const fn new(dictionary: &'i Dictionary) -> Self {
        Self { dictionary, words: Vec::new(), places: BTreeMap::new() }
    }

    fn add(&mut self, token: Token<'_>) {
        let Some((number, postings)) = self.dictionary.find(token.term) else { return };
        let share = if token.kind == Kind::Ideograph { IDEOGRAPH_SHARE } else { 1.0 };
        let place = *self.places.entry(number).or_insert(self.words.len());
        if let Some(word) = self.words.get_mut(place) {
            word.share = word.share.max(share);
        } else {
            self.words.push(Word { surface: token.surface.to_owned(), postings, share });
        }
    }

    fn weighted(self, tools: usize) -> Vec<QueryTerm<'i>> {
        let weigh = |word: Word<'i>| QueryTerm {
            weight: weight(word.postings.len(), tools, word.share),
            surface: word.surface,
            postings: word.postings,
        };
        self.words.into_iter().map(weigh).collect()
    }
}

fn keep_most_telling(terms: Vec<QueryTerm<'_>>) -> Vec<QueryTerm<'_>> {
    if terms.len() <= MAX_QUERY_TERMS {
        return terms;
    }
    let mut ranked: Vec<(usize, QueryTerm<'_>)> = terms.into_iter().enumerate().collect();
    ranked.sort_by_key(|(_, term)| std::cmp::Reverse(term.weight));
    ranked.truncate(MAX_QUERY_TERMS);
    ranked.sort_by_key(|(place, _)| *place);
    ranked.into_iter().map(|(_, term)| term).collect()
}
