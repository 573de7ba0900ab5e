//! Looks for a value that makes some formulas true and others false.
//!
//! A tableau: what must hold is taken apart until only atoms are left. Where there is a choice, each
//! alternative is tried. Atoms about one kind of value go to the solver of that kind, which asks
//! back here for the values inside.
//!
//! - *Found* comes with the value. Nobody has to trust it: the caller shows it to the validator.
//! - *Impossible* means that all alternatives are closed. This is what "nothing is lost" rests on, so
//!   every solver answers *Unknown* as soon as it leaves something untried.
//!
//! Schemas may be recursive. If the goal for a value inside is the same as the goal of a value
//! around it, then a smallest solution cannot take this way: its inner part would be a smaller one.

mod array;
mod number;
mod object;
mod string;

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    automaton::Patterns,
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

/// The answer to a goal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    Found(Value),
    Impossible,
    Unknown,
}

impl Outcome {
    /// The answer when this alternative and another one were tried.
    pub(crate) fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Found(value) => Self::Found(value),
            Self::Impossible => other(),
            Self::Unknown => match other() {
                Self::Impossible => Self::Unknown,
                better => better,
            },
        }
    }
}

/// How much work may still be done.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    steps: u32,
}

impl Budget {
    pub(crate) fn new(steps: u32) -> Self {
        Self { steps }
    }

    /// Takes a step; false when there are none left.
    pub(crate) fn step(&mut self) -> bool {
        self.spend(1)
    }

    pub(crate) fn remaining(&self) -> u32 {
        self.steps
    }

    pub(crate) fn spend(&mut self, steps: u32) -> bool {
        let enough = self.steps >= steps;
        self.steps = self.steps.saturating_sub(steps);
        enough
    }
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
        self.around.push(goal.clone());
        let mut outcome = Outcome::Impossible;
        for kind in ValueKind::ALL {
            outcome = outcome.or_else(|| {
                let branch = Branch { agenda: goal.iter().copied().collect(), ..Branch::new(kind) };
                self.explore(branch)
            });
        }
        self.around.pop();
        outcome
    }

    /// Follows one way through the choices.
    fn explore(&mut self, mut branch: Branch) -> Outcome {
        loop {
            if !self.budget.spend(branch.weight()) {
                return Outcome::Unknown;
            }
            if !branch.take_apart(self.arena) {
                return Outcome::Impossible;
            }
            match branch.simplify(self.arena) {
                Simplified::Contradiction => return Outcome::Impossible,
                Simplified::Forced => {}
                Simplified::Done => return self.solve_atoms(&branch),
                Simplified::Choice(choice) => return self.choose(&branch, choice),
            }
        }
    }

    fn choose(&mut self, branch: &Branch, choice: Vec<Vec<Literal>>) -> Outcome {
        if self.choices >= MAX_CHOICES {
            return Outcome::Unknown;
        }
        self.choices += 1;
        let mut outcome = Outcome::Impossible;
        for alternative in choice {
            outcome = outcome.or_else(|| {
                let mut branch = branch.clone();
                branch.agenda = alternative;
                self.explore(branch)
            });
        }
        self.choices -= 1;
        outcome
    }

    fn solve_atoms(&mut self, branch: &Branch) -> Outcome {
        // The kind is settled, and what is opaque only the validator can judge.
        let says_something = |atom: &Atom| {
            atom.is_about(branch.kind) && !matches!(atom, Atom::Kinds(_) | Atom::Opaque(_))
        };
        let atoms: Vec<(Atom, bool)> = branch
            .settled
            .iter()
            .filter_map(|&(id, holds)| match self.arena.get(id) {
                Formula::Atom(atom) if says_something(atom) => Some((atom.clone(), holds)),
                _ => None,
            })
            .collect();
        match branch.kind {
            ValueKind::Null => Outcome::Found(Value::Null),
            ValueKind::Boolean => solve_boolean(&atoms),
            ValueKind::Integer | ValueKind::Fraction => number::solve(branch.kind, &atoms),
            ValueKind::String => self.solve_string(&atoms),
            ValueKind::Array => self.solve_array(&atoms),
            ValueKind::Object => self.solve_object(&atoms),
        }
    }
}

fn solve_boolean(atoms: &[(Atom, bool)]) -> Outcome {
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

/// One way through the choices, for a value of one kind.
#[derive(Clone)]
struct Branch {
    kind: ValueKind,
    /// Still to be taken apart.
    agenda: Vec<Literal>,
    /// Everything that holds on this way.
    settled: Goal,
    /// One alternative of each must hold.
    choices: Vec<Vec<Vec<Literal>>>,
}

enum Simplified {
    Contradiction,
    /// Something follows; look again.
    Forced,
    /// Nothing is left to choose.
    Done,
    Choice(Vec<Vec<Literal>>),
}

/// What a literal comes down to for values of one kind.
enum Parts {
    Constant(bool),
    Atom,
    All(Vec<Literal>),
    Any(Vec<Vec<Literal>>),
}

impl Branch {
    fn new(kind: ValueKind) -> Self {
        Self { kind, agenda: Vec::new(), settled: Goal::new(), choices: Vec::new() }
    }

    /// What one step with this branch costs: all that is settled and open is looked at again.
    fn weight(&self) -> u32 {
        let open: usize = self.choices.iter().map(Vec::len).sum();
        u32::try_from(1 + (open + self.settled.len()) / 32).unwrap_or(u32::MAX)
    }

    /// Takes everything on the agenda apart. False on a contradiction.
    fn take_apart(&mut self, arena: &Arena) -> bool {
        while let Some((id, holds)) = self.agenda.pop() {
            if self.settled.contains(&(id, !holds)) {
                return false;
            }
            if !self.settled.insert((id, holds)) {
                continue;
            }
            match parts(arena, self.kind, id, holds) {
                Parts::Constant(true) | Parts::Atom => {}
                Parts::Constant(false) => return false,
                Parts::All(all) => self.agenda.extend(all),
                Parts::Any(any) => self.choices.push(any),
            }
        }
        true
    }

    /// Drops the alternatives that are already excluded and the choices that are already made, and
    /// picks the smallest choice that remains.
    fn simplify(&mut self, arena: &Arena) -> Simplified {
        let mut choices = std::mem::take(&mut self.choices);
        choices.retain(|choice| !choice.iter().any(|alternative| self.holds(alternative)));
        for choice in &mut choices {
            choice.retain(|alternative| !self.is_excluded(arena, alternative));
        }
        choices.sort_by_key(Vec::len);
        let mut choices = choices.into_iter();
        match choices.next() {
            None => Simplified::Done,
            Some(choice) if choice.is_empty() => Simplified::Contradiction,
            Some(mut choice) => {
                self.choices = choices.collect();
                if choice.len() == 1 {
                    self.agenda.append(&mut choice.remove(0));
                    Simplified::Forced
                } else {
                    Simplified::Choice(choice)
                }
            }
        }
    }

    fn holds(&self, alternative: &[Literal]) -> bool {
        alternative.iter().all(|literal| self.settled.contains(literal))
    }

    fn is_excluded(&self, arena: &Arena, alternative: &[Literal]) -> bool {
        alternative.iter().any(|&(id, holds)| {
            self.settled.contains(&(id, !holds)) || self.is_plainly_false(arena, id, holds)
        })
    }

    /// False at the first look, without making choices.
    fn is_plainly_false(&self, arena: &Arena, id: Id, holds: bool) -> bool {
        match parts(arena, self.kind, id, holds) {
            Parts::Constant(constant) => !constant,
            Parts::All(all) => all.iter().any(|&(id, holds)| {
                self.settled.contains(&(id, !holds))
                    || matches!(parts(arena, self.kind, id, holds), Parts::Constant(false))
            }),
            Parts::Atom | Parts::Any(_) => false,
        }
    }
}

fn parts(arena: &Arena, kind: ValueKind, id: Id, holds: bool) -> Parts {
    let each = |ids: &[Id]| ids.iter().map(|id| (*id, holds)).collect();
    let either = |ids: &[Id]| ids.iter().map(|id| vec![(*id, holds)]).collect();
    match arena.get(id) {
        Formula::Atom(Atom::Kinds(kinds)) => Parts::Constant(kinds.has(kind) == holds),
        Formula::Atom(atom) if atom.is_about(kind) => Parts::Atom,
        Formula::Atom(_) => Parts::Constant(holds),
        Formula::Not(inner) => Parts::All(vec![(*inner, !holds)]),
        Formula::All(ids) if holds => Parts::All(each(ids)),
        Formula::All(ids) => Parts::Any(either(ids)),
        Formula::Any(ids) if holds => Parts::Any(either(ids)),
        Formula::Any(ids) => Parts::All(each(ids)),
        Formula::One(ids) if holds => Parts::Any(exactly_one(ids)),
        Formula::One(ids) => Parts::Any(none_or_two(ids)),
        Formula::If(condition, then, otherwise) => Parts::Any(vec![
            vec![(*condition, true), (*then, holds)],
            vec![(*condition, false), (*otherwise, holds)],
        ]),
        Formula::Reference(definition) => match arena.definition(*definition) {
            Some(target) => Parts::All(vec![(target, holds)]),
            // INVARIANT: lowering defines whatever it refers to.
            None => Parts::Atom,
        },
    }
}

fn exactly_one(ids: &[Id]) -> Vec<Vec<Literal>> {
    ids.iter()
        .enumerate()
        .map(|(chosen, _)| {
            ids.iter().enumerate().map(|(index, id)| (*id, index == chosen)).collect()
        })
        .collect()
}

fn none_or_two(ids: &[Id]) -> Vec<Vec<Literal>> {
    let mut alternatives = vec![ids.iter().map(|id| (*id, false)).collect()];
    for (index, first) in ids.iter().enumerate() {
        let others = ids.iter().skip(index + 1);
        alternatives.extend(others.map(|second| vec![(*first, true), (*second, true)]));
    }
    alternatives
}
