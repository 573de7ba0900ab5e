//! Looks for a value that makes some formulas true and others false.
//!
//! A tableau: what must hold is taken apart until only atoms are left. Where there is a choice, each
//! alternative is tried. Atoms about one kind of value go to the solver of that kind, which asks
//! back here for the values inside.
//!
//! - *Found* comes with the value. The caller has the validator check it.
//! - *Impossible* means that all alternatives are closed. This is what "nothing is lost" rests on, so
//!   every solver answers *Unknown* as soon as it leaves something untried.
//!
//! Schemas may be recursive. If the goal for a value inside is the same as the goal of a value
//! around it, then a smallest solution cannot take this way: its inner part would be a smaller one.

mod array;
mod branch;
mod number;
mod object;
mod string;

use std::{collections::BTreeSet, sync::Arc};

use serde_json::Value;

use self::branch::{Alternative, Branch, Simplified};
use super::{
    automaton::Patterns,
    budget::Budget,
    formula::{Arena, Atom, Formula, Id, ValueKind},
};

/// A formula and whether it must hold or must not.
pub(crate) type Literal = (Id, bool);

/// What is asked of one value.
pub(crate) type Goal = BTreeSet<Literal>;

/// Values inside values inside values … are looked for this deep. A witness for a real schema is
/// nested as deep as its author's thoughts.
const MAX_DEPTH: usize = 48;

/// Choices inside choices are followed this deep, over all values together.
const MAX_CHOICES: usize = 400;

/// What one step costs on top of what it looks at.
const STEP_UNITS: usize = 32;

/// The answer to a goal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    Found(Value),
    Impossible,
    Unknown,
}

/// The state of one search.
pub(crate) struct Solver<'a> {
    pub(crate) arena: &'a mut Arena,
    pub(crate) patterns: &'a mut Patterns,
    pub(crate) budget: &'a mut Budget,
    /// The goals of the values around the one that is looked for.
    around: Vec<Goal>,
    /// How many choices were made on the way here.
    choices: usize,
}

impl<'a> Solver<'a> {
    pub(crate) fn new(
        arena: &'a mut Arena,
        patterns: &'a mut Patterns,
        budget: &'a mut Budget,
    ) -> Self {
        Self { arena, patterns, budget, around: Vec::new(), choices: 0 }
    }

    /// Looks for a value that reaches `goal`.
    pub(crate) fn solve(&mut self, goal: &Goal) -> Outcome {
        if self.around.contains(goal) {
            return Outcome::Impossible;
        }
        if self.around.len() >= MAX_DEPTH {
            return Outcome::Unknown;
        }
        if !self.budget.spend(goal.len()) {
            return Outcome::Unknown;
        }
        self.around.push(goal.clone());
        let outcome = self.try_each(ValueKind::ALL, |solver, kind| {
            solver.explore(Branch::new(kind, goal.iter().copied().collect()))
        });
        self.around.pop();
        outcome
    }

    /// Tries one candidate after another until a value is found or the budget is used up.
    fn try_each<T>(
        &mut self,
        candidates: impl IntoIterator<Item = T>,
        mut attempt: impl FnMut(&mut Self, T) -> Outcome,
    ) -> Outcome {
        let mut outcome = Outcome::Impossible;
        for candidate in candidates {
            if self.budget.is_exhausted() {
                return Outcome::Unknown;
            }
            match attempt(self, candidate) {
                Outcome::Found(value) => return Outcome::Found(value),
                Outcome::Impossible => {}
                Outcome::Unknown => outcome = Outcome::Unknown,
            }
        }
        outcome
    }

    /// Follows one way through the choices.
    fn explore(&mut self, mut branch: Branch) -> Outcome {
        loop {
            match branch.take_apart(self.arena, self.budget) {
                None => return Outcome::Unknown,
                Some(false) => return Outcome::Impossible,
                Some(true) => {}
            }
            if !self.budget.spend(branch.weight(self.arena)) {
                return Outcome::Unknown;
            }
            match branch.simplify(self.arena) {
                Simplified::Contradiction => return Outcome::Impossible,
                Simplified::Forced => {}
                Simplified::Done => return self.solve_atoms(&branch),
                Simplified::Choice(choice) => return self.choose(&branch, choice),
            }
        }
    }

    fn choose(&mut self, branch: &Branch, choice: Vec<Alternative>) -> Outcome {
        if self.choices >= MAX_CHOICES {
            return Outcome::Unknown;
        }
        self.choices += 1;
        let size = branch.size();
        let outcome = self.try_each(choice, |solver, alternative| {
            if !solver.budget.spend(size) {
                return Outcome::Unknown;
            }
            solver.explore(branch.with(&alternative))
        });
        self.choices -= 1;
        outcome
    }

    fn solve_atoms(&mut self, branch: &Branch) -> Outcome {
        // The kind is settled, and what is opaque only the validator can judge.
        let says_something = |atom: &Atom| {
            atom.is_about(branch.kind) && !matches!(atom, Atom::Kinds(_) | Atom::Opaque(_))
        };
        let formulas: Vec<(Arc<Formula>, bool)> =
            branch.settled.iter().map(|&(id, holds)| (self.arena.share(id), holds)).collect();
        let atoms: Vec<(&Atom, bool)> = formulas
            .iter()
            .filter_map(|(formula, holds)| match &**formula {
                Formula::Atom(atom) if says_something(atom) => Some((atom, *holds)),
                _ => None,
            })
            .collect();
        match branch.kind {
            ValueKind::Null => Outcome::Found(Value::Null),
            ValueKind::Boolean => solve_boolean(&atoms),
            ValueKind::Integer | ValueKind::Fraction => {
                number::solve(branch.kind, &atoms, self.budget)
            }
            ValueKind::String => self.solve_string(&atoms),
            ValueKind::Array => self.solve_array(&atoms),
            ValueKind::Object => self.solve_object(&atoms),
        }
    }
}

fn solve_boolean(atoms: &[(&Atom, bool)]) -> Outcome {
    let fits = |candidate: &bool| {
        atoms.iter().all(|(atom, holds)| match atom {
            Atom::BooleanIs(boolean) => (boolean == candidate) == *holds,
            _ => true,
        })
    };
    match [true, false].into_iter().find(fits) {
        Some(boolean) => Outcome::Found(Value::Bool(boolean)),
        None => Outcome::Impossible,
    }
}
