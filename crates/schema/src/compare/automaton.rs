//! Which strings match some patterns, do not match others, and have a certain length.
//!
//! Each pattern becomes an automaton over bytes. Walking all of them at once, byte by byte, and
//! keeping a note of every combination of states seen, either reaches a combination where all are
//! satisfied (the bytes of the way are the answer) or ends: then there is no such string.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use regex_automata::{
    Anchored, MatchKind,
    hybrid::{
        LazyStateID,
        dfa::{Cache, Config, DFA},
    },
    nfa::thompson,
    util::{alphabet::ByteClasses, start},
};

use super::{
    budget::{Budget, text_units},
    format::Formats,
};
use crate::pattern::{PATTERN_BYTES, translate};

/// The memory that the states of one pattern's automaton may take.
const CACHE_BYTES: usize = 4 << 20;

/// The memory that the states of all automata together may take.
const ALL_CACHE_BYTES: usize = 16 << 20;

/// Longer strings are not tried.
const MAX_LENGTH: u64 = 100_000;

/// The letters with which a witness may begin.
const FIRST_LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// What is asked of a string.
#[derive(Debug, Default)]
pub(crate) struct StringGoal<'a> {
    pub(crate) matches: Vec<&'a str>,
    pub(crate) must_not_match: Vec<&'a str>,
    pub(crate) at_least: u64,
    pub(crate) at_most: Option<u64>,
    pub(crate) excluded: BTreeSet<&'a str>,
    /// Asks for the impossible.
    pub(crate) never: bool,
}

impl StringGoal<'_> {
    /// Allows at most so many characters.
    pub(crate) fn limit(&mut self, most: u64) {
        self.at_most = Some(self.at_most.map_or(most, |known| known.min(most)));
    }
}

/// The answer to a [`StringGoal`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StringOutcome {
    Found(String),
    Impossible,
    Unknown,
}

/// The automata of all patterns met so far, and the checks of all formats.
#[derive(Default)]
pub(crate) struct Patterns {
    automata: BTreeMap<String, Option<Automaton>>,
    pub(crate) formats: Formats,
}

struct Automaton {
    dfa: DFA,
    cache: Cache,
}

impl Automaton {
    fn of(pattern: &str) -> Option<Self> {
        let translated = translate(pattern).ok()?;
        let configuration = Config::new()
            .match_kind(MatchKind::LeftmostFirst)
            .cache_capacity(CACHE_BYTES)
            // A cleared cache would forget the states that the search still holds.
            .minimum_cache_clear_count(Some(0));
        let dfa = DFA::builder()
            .configure(configuration)
            .thompson(thompson::Config::new().nfa_size_limit(Some(PATTERN_BYTES)))
            .build(&translated)
            .ok()?;
        let cache = dfa.create_cache();
        Some(Self { dfa, cache })
    }

    fn start(&mut self) -> Option<Walk> {
        let configuration = start::Config::new().anchored(Anchored::No);
        let state = self.dfa.start_state(&mut self.cache, &configuration).ok()?;
        self.classify(state)
    }

    fn next(&mut self, walk: Walk, byte: u8) -> Option<Walk> {
        match walk {
            Walk::At(state) => {
                let state = self.dfa.next_state(&mut self.cache, state, byte).ok()?;
                self.classify(state)
            }
            settled => Some(settled),
        }
    }

    /// True if the pattern matches a string that ends here.
    fn matches_at_end(&mut self, walk: Walk) -> Option<bool> {
        match walk {
            Walk::Matched => Some(true),
            Walk::Dead => Some(false),
            Walk::At(state) => {
                let end = self.dfa.next_eoi_state(&mut self.cache, state).ok()?;
                Some(end.is_match())
            }
        }
    }

    fn classify(&self, state: LazyStateID) -> Option<Walk> {
        if state.is_quit() {
            None
        } else if state.is_match() {
            Some(Walk::Matched)
        } else if state.is_dead() {
            Some(Walk::Dead)
        } else {
            Some(Walk::At(state))
        }
    }

    fn whole_match(&mut self, text: &str) -> Option<bool> {
        let mut walk = self.start()?;
        for byte in text.bytes() {
            walk = self.next(walk, byte)?;
        }
        self.matches_at_end(walk)
    }
}

/// How far one pattern has come. A pattern that has matched somewhere stays matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Walk {
    Matched,
    Dead,
    At(LazyStateID),
}

/// Bytes that are still missing from a character, and the range of the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Character {
    missing: u8,
    next: (u8, u8),
}

impl Character {
    const WHOLE: Self = Self { missing: 0, next: (0x80, 0xBF) };

    /// The table of well-formed UTF-8 in the Unicode standard (table 3-7).
    fn then(self, byte: u8) -> Option<Self> {
        if self.missing > 0 {
            let fits = (self.next.0..=self.next.1).contains(&byte);
            return fits.then_some(Self { missing: self.missing - 1, next: (0x80, 0xBF) });
        }
        let (missing, next) = match byte {
            0x00..=0x7F => (0, (0x80, 0xBF)),
            0xC2..=0xDF => (1, (0x80, 0xBF)),
            0xE0 => (2, (0xA0, 0xBF)),
            0xED => (2, (0x80, 0x9F)),
            0xE1..=0xEF => (2, (0x80, 0xBF)),
            0xF0 => (3, (0x90, 0xBF)),
            0xF1..=0xF3 => (3, (0x80, 0xBF)),
            0xF4 => (3, (0x80, 0x8F)),
            _ => return None,
        };
        Some(Self { missing, next })
    }
}

/// A combination of states.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    walks: Vec<Walk>,
    character: Character,
    /// Characters so far, counted only as far as a minimum asks.
    length: u64,
    /// The first of the excluded strings that begin like this one, and the bytes compared.
    like_excluded: Option<(usize, usize)>,
}

/// How a place was reached.
struct Step {
    before: Option<usize>,
    byte: u8,
    characters: u64,
}

impl Patterns {
    /// True if `pattern` matches somewhere in `text`; nothing if the pattern is beyond us.
    pub(crate) fn is_match(&mut self, pattern: &str, text: &str) -> Option<bool> {
        self.automaton(pattern)?.whole_match(text)
    }

    /// Looks for a string.
    pub(crate) fn find(&mut self, goal: &StringGoal<'_>, budget: &mut Budget) -> StringOutcome {
        if goal.never || goal.at_most.is_some_and(|most| most < goal.at_least) {
            return StringOutcome::Impossible;
        }
        if goal.at_least > MAX_LENGTH {
            return StringOutcome::Unknown;
        }
        let length = usize::try_from(goal.at_least).unwrap_or(usize::MAX);
        let excluded: usize = goal.excluded.iter().map(|text| text_units(text)).sum();
        if !budget.spend(length / 16 + excluded) {
            return StringOutcome::Unknown;
        }
        if let Some(text) = plain_string(goal) {
            return StringOutcome::Found(text);
        }
        let found = self.search(goal, budget).unwrap_or(StringOutcome::Unknown);
        self.trim_caches();
        found
    }

    /// Forgets the states of all automata when they take too much memory. No search holds any.
    fn trim_caches(&mut self) {
        let automata = || self.automata.values().flatten();
        if automata().map(|automaton| automaton.cache.memory_usage()).sum::<usize>()
            > ALL_CACHE_BYTES
        {
            for automaton in self.automata.values_mut().flatten() {
                automaton.cache = automaton.dfa.create_cache();
            }
        }
    }

    fn automaton(&mut self, pattern: &str) -> Option<&mut Automaton> {
        if !self.automata.contains_key(pattern) {
            self.automata.insert(pattern.to_owned(), Automaton::of(pattern));
        }
        self.automata.get_mut(pattern)?.as_mut()
    }

    /// `None` when an automaton gives up.
    fn search(&mut self, goal: &StringGoal<'_>, budget: &mut Budget) -> Option<StringOutcome> {
        let excluded: Vec<&str> = goal.excluded.iter().copied().collect();
        let number = goal.matches.len() + goal.must_not_match.len();
        if !budget.spend(number.saturating_mul(256)) {
            return None;
        }
        let alphabet = self.alphabet(goal)?;
        let start = Place {
            walks: self.starts(goal)?,
            character: Character::WHOLE,
            length: 0,
            like_excluded: (!excluded.is_empty()).then_some((0, 0)),
        };
        // The fewest characters with which a place was reached. Bytes inside a character cost none,
        // so a place may be reached again with fewer.
        let mut fewest = BTreeMap::from([(start.clone(), 0_u64)]);
        let mut steps = vec![(start, Step { before: None, byte: 0, characters: 0 })];
        let mut open = VecDeque::from([0_usize]);
        while let Some(index) = open.pop_front() {
            let (place, step) = steps.get(index)?;
            let (place, so_far) = (place.clone(), step.characters);
            let prefix = place.like_excluded.map_or(0, |(_, length)| length);
            let per_byte = 1 + number + prefix / 64;
            if !budget.spend(32 + alphabet.len().saturating_mul(per_byte)) {
                return None;
            }
            if self.is_goal(goal, &excluded, &place)? {
                return Some(StringOutcome::Found(spell(&steps, index)?));
            }
            for &byte in &alphabet {
                let next = self.advance(goal, &excluded, &place, byte)?;
                let Some(next) = next else { continue };
                let begins = place.character.missing == 0;
                let characters = so_far + u64::from(begins);
                let known = fewest.get(&next).is_some_and(|fewest| *fewest <= characters);
                if known || goal.at_most.is_some_and(|most| characters > most) {
                    continue;
                }
                // A place is kept twice.
                if !budget.spend(4 + number / 2) {
                    return None;
                }
                fewest.insert(next.clone(), characters);
                steps.push((next, Step { before: Some(index), byte, characters }));
                let index = steps.len() - 1;
                if begins { open.push_back(index) } else { open.push_front(index) }
            }
        }
        Some(StringOutcome::Impossible)
    }

    fn starts(&mut self, goal: &StringGoal<'_>) -> Option<Vec<Walk>> {
        patterns(goal).map(|(pattern, _)| self.automaton(pattern)?.start()).collect()
    }

    /// The place behind `byte`; the inner `None` if no string that goes there can reach the goal.
    #[expect(clippy::option_option, reason = "the outer one gives up, the inner one turns back")]
    fn advance(
        &mut self,
        goal: &StringGoal<'_>,
        excluded: &[&str],
        place: &Place,
        byte: u8,
    ) -> Option<Option<Place>> {
        let Some(character) = place.character.then(byte) else { return Some(None) };
        let mut walks = Vec::with_capacity(place.walks.len());
        for ((pattern, wanted), walk) in patterns(goal).zip(&place.walks) {
            let walk = self.automaton(pattern)?.next(*walk, byte)?;
            let hopeless = if wanted { Walk::Dead } else { Walk::Matched };
            if walk == hopeless {
                return Some(None);
            }
            walks.push(walk);
        }
        let begins = place.character.missing == 0;
        let length = (place.length + u64::from(begins)).min(goal.at_least);
        let like_excluded = place.like_excluded.and_then(|(first, length)| {
            let prefix = excluded.get(first)?.as_bytes().get(..length)?;
            let next = excluded.partition_point(|text| {
                let (start, rest) = text.as_bytes().split_at(length.min(text.len()));
                start.cmp(prefix).then(rest.first().cmp(&Some(&byte))).is_lt()
            });
            let text = excluded.get(next)?.as_bytes();
            (text.starts_with(prefix) && text.get(length) == Some(&byte))
                .then_some((next, length + 1))
        });
        Some(Some(Place { walks, character, length, like_excluded }))
    }

    fn is_goal(&mut self, goal: &StringGoal<'_>, excluded: &[&str], place: &Place) -> Option<bool> {
        if place.character.missing > 0 || place.length < goal.at_least {
            return Some(false);
        }
        // The shortest of the strings that begin alike comes first.
        let is_excluded = place.like_excluded.is_some_and(|(first, length)| {
            excluded.get(first).is_some_and(|text| text.len() == length)
        });
        if is_excluded {
            return Some(false);
        }
        for ((pattern, wanted), walk) in patterns(goal).zip(&place.walks) {
            if self.automaton(pattern)?.matches_at_end(*walk)? != wanted {
                return Some(false);
            }
        }
        Some(true)
    }

    /// One byte of each class that all automata treat alike, readable ones first.
    fn alphabet(&mut self, goal: &StringGoal<'_>) -> Option<Vec<u8>> {
        let mut excluded = [false; 256];
        for byte in goal.excluded.iter().flat_map(|text| text.bytes()) {
            if let Some(seen) = excluded.get_mut(usize::from(byte)) {
                *seen = true;
            }
        }
        let mut classes: Vec<ByteClasses> = Vec::new();
        for (pattern, _) in patterns(goal) {
            classes.push(*self.automaton(pattern)?.dfa.byte_classes());
        }
        let is_excluded = |byte: u8| excluded.get(usize::from(byte)).copied().unwrap_or_default();
        let alike = |a: u8, b: u8| {
            // A byte of an excluded string is a class of its own.
            !is_excluded(a)
                && !is_excluded(b)
                && utf8_class(a) == utf8_class(b)
                && classes.iter().all(|classes| classes.get(a) == classes.get(b))
        };
        let mut chosen: Vec<u8> = Vec::new();
        for byte in readable_bytes_first() {
            if !chosen.iter().any(|known| alike(*known, byte)) {
                chosen.push(byte);
            }
        }
        Some(chosen)
    }
}

/// A string that is found without a search: where there are no patterns, only its length counts, and
/// that it is not one of the excluded ones.
fn plain_string(goal: &StringGoal<'_>) -> Option<String> {
    if !goal.matches.is_empty() || !goal.must_not_match.is_empty() {
        return None;
    }
    let length = usize::try_from(goal.at_least).ok()?;
    let lengths = [length, length + 1];
    let allowed =
        lengths.into_iter().filter(|length| goal.at_most.is_none_or(|most| *length as u64 <= most));
    // Only the first letter varies, so that the rest stays easy to read.
    let texts = allowed.flat_map(|length| {
        FIRST_LETTERS.chars().map(move |first| {
            let rest = std::iter::repeat_n('a', length.saturating_sub(1));
            std::iter::once(first).chain(rest).take(length).collect::<String>()
        })
    });
    texts.into_iter().find(|text| !goal.excluded.contains(text.as_str()))
}

/// All patterns of a goal, and whether they must match.
fn patterns<'a>(goal: &'a StringGoal<'_>) -> impl Iterator<Item = (&'a str, bool)> {
    let wanted = goal.matches.iter().map(|pattern| (*pattern, true));
    wanted.chain(goal.must_not_match.iter().map(|pattern| (*pattern, false)))
}

fn spell(steps: &[(Place, Step)], index: usize) -> Option<String> {
    let mut bytes = Vec::new();
    let mut at = index;
    while let Some(before) = steps.get(at)?.1.before {
        bytes.push(steps.get(at)?.1.byte);
        at = before;
    }
    bytes.reverse();
    String::from_utf8(bytes).ok()
}

/// All bytes, in the order in which a person would like to see them.
fn readable_bytes_first() -> impl Iterator<Item = u8> {
    let letters = (b'a'..=b'z').chain(b'0'..=b'9').chain(b'A'..=b'Z');
    let printable = (b' '..=b'~').filter(|byte| !byte.is_ascii_alphanumeric());
    let rest = (0x80..=0xFF).chain(0x00..0x20).chain([0x7F]);
    letters.chain(printable.filter(|byte| *byte != b' ')).chain([b' ']).chain(rest)
}

/// Bytes of one class play the same part in well-formed UTF-8.
fn utf8_class(byte: u8) -> u8 {
    match byte {
        0x00..=0x7F => 0,
        0x80..=0x8F => 1,
        0x90..=0x9F => 2,
        0xA0..=0xBF => 3,
        0xC0..=0xC1 => 4,
        0xC2..=0xDF => 5,
        0xE0 => 6,
        0xED => 7,
        0xE1..=0xEF => 8,
        0xF0 => 9,
        0xF1..=0xF3 => 10,
        0xF4 => 11,
        0xF5..=0xFF => 12,
    }
}
