//! Tools that are found by what they are about.

use std::sync::Arc;

use assent_search::{Index, Meaning, ToolText};
use proptest::prelude::*;

use crate::{keys, tool};

/// Knows a few words of three subjects.
struct Subjects;

const WEATHER: [&str; 4] = ["weather", "forecast", "rain", "umbrella"];
const MONEY: [&str; 4] = ["money", "invoice", "salary", "dollars"];
const MUSIC: [&str; 4] = ["music", "song", "melody", "concert"];

impl Meaning for Subjects {
    fn direction(&self, text: &str) -> Option<Vec<f32>> {
        let text = text.to_lowercase();
        let about = |words: [&str; 4]| words.iter().filter(|word| text.contains(**word)).count();
        let counts = [WEATHER, MONEY, MUSIC].map(about);
        counts.iter().any(|count| *count > 0).then(|| counts.map(|count| count as f32).to_vec())
    }
}

fn index_with_meaning(tools: &[(&str, &str)]) -> Index {
    let mut index = Index::with_meaning(Arc::new(Subjects));
    for (key, (name, description)) in (0..).zip(tools) {
        index.insert(key, &tool(name, description));
    }
    index
}

const TOOLS: [(&str, &str); 4] = [
    ("get_forecast", "Tells the weather of tomorrow."),
    ("send_invoice", "Asks a customer for money."),
    ("play_song", "Plays music."),
    ("read_file", "Reads a file."),
];

#[test]
fn a_tool_is_found_in_other_words_than_its_own() {
    let index = index_with_meaning(&TOOLS);
    let hits = index.search("do I need an umbrella", 5);
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].key, 0);
    assert!(hits[0].reasons.is_empty());
    assert!(hits[0].likeness.unwrap() > 0.9);
}

#[test]
fn words_and_meaning_are_added_up() {
    let index = index_with_meaning(&TOOLS);
    let hits = index.search("a file with a melody", 5);
    assert_eq!(hits.iter().map(|hit| hit.key).collect::<Vec<_>>(), [2, 3]);
    let by_word = hits.iter().find(|hit| hit.key == 3).unwrap();
    assert_eq!(by_word.likeness, Some(0.0));
    assert!(!by_word.reasons.is_empty());
}

#[test]
fn what_has_nothing_to_do_with_the_query_is_not_found() {
    let index = index_with_meaning(&TOOLS);
    assert!(keys(&index, "zebra").is_empty());
    assert!(keys(&index, "").is_empty());
}

#[test]
fn a_query_whose_meaning_nobody_knows_is_searched_by_its_words() {
    let index = index_with_meaning(&TOOLS);
    let hits = index.search("read", 5);
    assert_eq!(hits[0].key, 3);
    assert_eq!(hits[0].likeness, None);
}

#[test]
fn a_tool_that_was_taken_out_or_replaced_is_not_found_by_what_it_was_about() {
    let mut index = index_with_meaning(&TOOLS);
    index.insert(0, &tool("get_lyrics", "Finds the text of a song."));
    assert!(keys(&index, "umbrella").is_empty());
    assert_eq!(keys(&index, "concert"), [0, 2]);
    index.remove(2);
    assert_eq!(keys(&index, "concert"), [0]);
}

#[test]
fn only_wanted_tools_are_found_by_meaning() {
    let index = index_with_meaning(&TOOLS);
    assert!(index.search_among("umbrella", 5, |key| key != 0).is_empty());
}

#[test]
fn without_meaning_nothing_is_said_about_likeness() {
    let mut index = Index::new();
    index.insert(1, &tool("get_forecast", ""));
    assert_eq!(index.search("forecast", 1)[0].likeness, None);
}

fn text() -> impl Strategy<Value = String> {
    let words = prop::sample::select([&WEATHER[..], &MONEY, &MUSIC, &["file", "read"]].concat());
    prop::collection::vec(words, 0..6).prop_map(|words| words.join(" "))
}

proptest! {
    /// Against a scorer that asks both sides about every tool.
    #[test]
    fn the_best_are_those_with_the_largest_sums(
        tools in prop::collection::vec(text(), 1..60),
        query in text(),
        limit in 1_usize..20,
    ) {
        let with_meaning = |tools: &[String]| {
            let mut index = Index::with_meaning(Arc::new(Subjects));
            for (key, text) in (0..).zip(tools) {
                index.insert(key, &ToolText { description: text, ..ToolText::default() });
            }
            index
        };
        let index = with_meaning(&tools);
        let mut words = Index::new();
        for (key, text) in (0..).zip(&tools) {
            words.insert(key, &ToolText { description: text, ..ToolText::default() });
        }
        let by_words: Vec<_> = words.search(&query, tools.len());
        let cosine = |text: &str| {
            let (one, other) = (Subjects.direction(text)?, Subjects.direction(&query)?);
            let dot = |one: &[f32], other: &[f32]| -> f32 { one.iter().zip(other).map(|(a, b)| a * b).sum() };
            Some(dot(&one, &other) / (dot(&one, &one) * dot(&other, &other)).sqrt())
        };
        // A likeness is kept in steps: what lies at the border may fall to either side.
        let is_at_border = |text: &String| (cosine(text).unwrap_or_default() - 0.25).abs() < 0.02;
        prop_assume!(!tools.iter().any(is_at_border));
        let mut expected: Vec<f32> = (0..).zip(&tools).filter_map(|(key, text)| {
            let word = by_words.iter().find(|hit| hit.key == key).map(|hit| hit.score);
            let like = cosine(text).unwrap_or_default();
            (word.is_some() || like >= 0.25).then(|| word.unwrap_or_default() + 15.0 * like)
        }).collect();
        expected.sort_by(|one, other| other.total_cmp(one));
        let found = index.search(&query, limit);
        prop_assert_eq!(found.len(), expected.len().min(limit));
        for (hit, expected) in found.iter().zip(expected) {
            prop_assert!((hit.score - expected).abs() < 0.2, "{} {}", hit.score, expected);
        }
        prop_assert_eq!(found, with_meaning(&tools).search(&query, limit));
    }
}
