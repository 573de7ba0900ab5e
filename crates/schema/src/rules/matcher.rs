//! A pattern, matched in the cheapest way that gives the same answer.

use std::sync::Arc;

use jsonschema_regex::{PatternAnalysis, analyze_pattern, contains_ecma_whitespace};
use regex_automata::{
    Anchored,
    dfa::{Automaton as _, StartKind, dense},
    meta::Regex,
    util::{primitives::StateID, start},
};

use crate::pattern::translate;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(super) enum Matcher {
    Prefix(String),
    Exact(String),
    OneOf(Vec<String>),
    NoWhitespace,
    /// All states written out: two or three times as fast on the short texts that arguments are.
    Table(Arc<Table>),
    Regex(Regex),
}

/// An automaton and the state in which it is before a text.
#[derive(Debug)]
pub(super) struct Table {
    automaton: dense::DFA<Vec<u32>>,
    start: StateID,
}

/// The memory that the tables of one schema may still take. Patterns beyond it do without.
#[derive(Debug)]
pub(super) struct TableBudget {
    bytes: usize,
}

/// Patterns for names and identifiers take one or two thousand bytes.
const MAX_TABLE_BYTES: usize = 16 << 10;

impl Default for TableBudget {
    fn default() -> Self {
        Self { bytes: 16 * MAX_TABLE_BYTES }
    }
}

impl Matcher {
    /// Nothing if the pattern is none that was inspected.
    pub(super) fn new(pattern: &str, budget: &mut TableBudget) -> Option<Self> {
        Some(match analyze_pattern(pattern) {
            Some(PatternAnalysis::Prefix(prefix)) => Self::Prefix(prefix.into_owned()),
            Some(PatternAnalysis::Exact(text)) => Self::Exact(text.into_owned()),
            Some(PatternAnalysis::Alternation(texts)) => Self::OneOf(texts),
            Some(PatternAnalysis::NoWhitespace) => Self::NoWhitespace,
            None => {
                let translated = translate(pattern).ok()?;
                match budget.table(&translated) {
                    Some(table) => Self::Table(Arc::new(table)),
                    None => Self::Regex(Regex::new(&translated).ok()?),
                }
            }
        })
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        match self {
            Self::Prefix(prefix) => text.starts_with(prefix.as_str()),
            Self::Exact(exact) => text == exact,
            Self::OneOf(texts) => texts.iter().any(|option| option == text),
            Self::NoWhitespace => !contains_ecma_whitespace(text),
            Self::Table(table) => table.is_match(text),
            Self::Regex(regex) => regex.is_match(text.as_bytes()),
        }
    }
}

impl Table {
    /// The search of the engine without its preparations, which cost more than a short text.
    fn is_match(&self, text: &str) -> bool {
        let Self { automaton, start } = self;
        let mut state = *start;
        for byte in text.bytes() {
            state = automaton.next_state(state, byte);
            // INVARIANT: a table that was built without bytes to stop at never stops at one.
            if automaton.is_special_state(state) {
                if automaton.is_match_state(state) {
                    return true;
                }
                if automaton.is_dead_state(state) {
                    return false;
                }
            }
        }
        automaton.is_match_state(automaton.next_eoi_state(state))
    }
}

impl TableBudget {
    fn table(&mut self, translated: &str) -> Option<Table> {
        let limit = Some(self.bytes.min(MAX_TABLE_BYTES));
        let configuration = dense::Config::new()
            .start_kind(StartKind::Unanchored)
            .dfa_size_limit(limit)
            .determinize_size_limit(limit);
        let automaton = dense::Builder::new().configure(configuration).build(translated).ok()?;
        let start = automaton.start_state(&start::Config::new().anchored(Anchored::No)).ok()?;
        self.bytes = self.bytes.saturating_sub(automaton.memory_usage());
        Some(Table { automaton, start })
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_TABLE_BYTES, Matcher, TableBudget};

    #[test]
    fn tables_are_made_for_small_patterns_until_the_budget_is_spent() {
        let mut budget = TableBudget::default();
        let name = "^[a-z_][a-z0-9_]{0,62}$";
        assert!(matches!(Matcher::new(name, &mut budget), Some(Matcher::Table(_))));
        let large = r"^(\w{1,9}\s){9}$";
        assert!(matches!(Matcher::new(large, &mut budget), Some(Matcher::Regex(_))));
        let tables = std::iter::repeat_with(|| Matcher::new(name, &mut budget))
            .take_while(|matcher| matches!(matcher, Some(Matcher::Table(_))));
        assert!(tables.take(1_000).count() < 1_000);
        assert!(budget.bytes < MAX_TABLE_BYTES);
    }

    #[test]
    fn every_way_of_matching_gives_the_answer_of_the_engine() {
        let patterns = [
            "^/",
            "^ab$",
            "^(a|b)$",
            r"^\S*$",
            "^[a-z]+$",
            "a{2}|b$",
            "^.$",
            "[^a]",
            r"\d\D",
            "",
            "^$",
            r"^\w+\b",
            r"\bab\b",
            "é",
            "^[é-ü]{2}$",
        ];
        let texts =
            ["", "a", "b", "ab", "aab", "/ab", "a b", "é", "éü", "😀", "1a", "ab\n", "x ab y"];
        for pattern in patterns {
            let engine =
                regex_automata::meta::Regex::new(&crate::pattern::translate(pattern).unwrap())
                    .unwrap();
            let matcher = Matcher::new(pattern, &mut TableBudget::default()).unwrap();
            for text in texts {
                assert_eq!(matcher.is_match(text), engine.is_match(text), "{pattern} {text}");
            }
        }
    }
}
