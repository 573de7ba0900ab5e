//! Strings: constants, lengths, patterns and formats.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Outcome, Solver};
use crate::compare::{
    automaton::{StringGoal, StringOutcome},
    budget::text_units,
    format,
    formula::Atom,
};

/// Strings that belong to no format, or to hardly any.
const ODD_STRINGS: [&str; 10] = ["", "a", "0", "-", "a b", "%", "{", "[", "\\", "\u{1}"];

impl Solver<'_> {
    pub(super) fn solve_string(&mut self, atoms: &[(&Atom, bool)]) -> Outcome {
        let constant = atoms.iter().find_map(|(atom, holds)| match atom {
            Atom::StringIs(text) if *holds => Some(text.as_str()),
            _ => None,
        });
        if let Some(constant) = constant {
            return match self.string_fits(constant, atoms) {
                Some(true) => Outcome::Found(Value::from(constant)),
                Some(false) => Outcome::Impossible,
                None => Outcome::Unknown,
            };
        }
        if formats_exclude_each_other(atoms) {
            return Outcome::Impossible;
        }
        let has_formats = atoms.iter().any(|(atom, _)| matches!(atom, Atom::Format(_)));
        match self.patterns.find(&string_goal(atoms), self.budget) {
            StringOutcome::Impossible => Outcome::Impossible,
            StringOutcome::Unknown if self.budget.is_exhausted() => Outcome::Unknown,
            StringOutcome::Unknown => self.try_examples(atoms),
            StringOutcome::Found(text) if !has_formats => Outcome::Found(Value::from(text)),
            // The search knows nothing of formats.
            StringOutcome::Found(text) => match self.string_fits(&text, atoms) {
                Some(true) => Outcome::Found(Value::from(text)),
                _ => self.try_examples(atoms),
            },
        }
    }

    /// Tries known strings. They prove nothing if they do not fit.
    fn try_examples(&mut self, atoms: &[(&Atom, bool)]) -> Outcome {
        let of_formats = atoms.iter().filter_map(|(atom, holds)| match atom {
            Atom::Format(format) if *holds => Some(format::examples(format)),
            _ => None,
        });
        let candidates: Vec<&str> = of_formats.flatten().chain(&ODD_STRINGS).copied().collect();
        let fitting =
            candidates.into_iter().find(|text| self.string_fits(text, atoms) == Some(true));
        fitting.map_or(Outcome::Unknown, |text| Outcome::Found(Value::from(text)))
    }

    /// True if `text` fits all atoms; nothing if one of them cannot be decided.
    fn string_fits(&mut self, text: &str, atoms: &[(&Atom, bool)]) -> Option<bool> {
        let length = text.chars().count() as u64;
        for (atom, holds) in atoms {
            if !self.budget.spend(text_units(text)) {
                return None;
            }
            let is_true = match atom {
                Atom::StringIs(constant) => text == constant,
                Atom::LengthAtLeast(least) => length >= *least,
                Atom::LengthAtMost(most) => length <= *most,
                Atom::Matches(pattern) => self.patterns.is_match(pattern, text)?,
                Atom::Format(format) => self.patterns.formats.accepts(format, text)?,
                _ => *holds,
            };
            if is_true != *holds {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// True if a string would have to belong to a format and not to one that contains it.
fn formats_exclude_each_other(atoms: &[(&Atom, bool)]) -> bool {
    let formats = |wanted: bool| {
        atoms.iter().filter_map(move |(atom, holds)| match atom {
            Atom::Format(format) if *holds == wanted => Some(format.as_str()),
            _ => None,
        })
    };
    formats(true).any(|inner| formats(false).any(|outer| format::is_contained(inner, outer)))
}

fn string_goal<'a>(atoms: &'a [(&'a Atom, bool)]) -> StringGoal<'a> {
    let mut goal = StringGoal { excluded: BTreeSet::new(), ..StringGoal::default() };
    for (atom, holds) in atoms {
        match (atom, holds) {
            (Atom::StringIs(text), false) => {
                goal.excluded.insert(text);
            }
            (Atom::Matches(pattern), true) => goal.matches.push(pattern),
            (Atom::Matches(pattern), false) => goal.must_not_match.push(pattern),
            (Atom::LengthAtLeast(least), true) => goal.at_least = goal.at_least.max(*least),
            (Atom::LengthAtMost(most), false) => {
                goal.at_least = goal.at_least.max(most.saturating_add(1));
            }
            (Atom::LengthAtMost(most), true) => goal.limit(*most),
            (Atom::LengthAtLeast(0), false) => goal.never = true,
            (Atom::LengthAtLeast(least), false) => goal.limit(least - 1),
            _ => {}
        }
    }
    goal
}
