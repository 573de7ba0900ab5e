//! One way through the choices, for a value of one kind.

use std::sync::Arc;

use super::{Goal, Literal, STEP_UNITS};
use crate::compare::{
    budget::Budget,
    formula::{Arena, Atom, Formula, Id, ValueKind},
};

/// Literals that hold together. Branches share them.
pub(super) type Alternative = Arc<[Literal]>;

/// One way through the choices.
#[derive(Clone)]
pub(super) struct Branch {
    pub(super) kind: ValueKind,
    /// Still to be taken apart.
    agenda: Vec<Literal>,
    /// Everything that holds on this way.
    pub(super) settled: Goal,
    /// One alternative of each must hold.
    choices: Vec<Vec<Alternative>>,
}

pub(super) enum Simplified {
    Contradiction,
    /// Something follows; look again.
    Forced,
    /// Nothing is left to choose.
    Done,
    Choice(Vec<Alternative>),
}

/// What a literal comes down to for values of one kind.
enum Parts {
    Constant(bool),
    Atom,
    All(Vec<Literal>),
    Any(Vec<Alternative>),
}

impl Branch {
    pub(super) fn new(kind: ValueKind, agenda: Vec<Literal>) -> Self {
        Self { kind, agenda, settled: Goal::new(), choices: Vec::new() }
    }

    /// A copy on which `alternative` must hold as well.
    pub(super) fn with(&self, alternative: &[Literal]) -> Self {
        Self { agenda: alternative.to_vec(), ..self.clone() }
    }

    /// What a copy costs.
    pub(super) fn size(&self) -> usize {
        let open: usize = self.choices.iter().map(Vec::len).sum();
        open + self.settled.len()
    }

    /// What one step with this branch costs: everything settled and open is looked at again.
    pub(super) fn weight(&self, arena: &Arena) -> usize {
        let literals = self.choices.iter().flatten().flat_map(|alternative| alternative.iter());
        let looked_at: usize = literals.map(|(id, _)| arena.width(*id)).sum();
        STEP_UNITS + looked_at + self.size()
    }

    /// Takes everything on the agenda apart. False on a contradiction, nothing if the budget is used
    /// up.
    pub(super) fn take_apart(&mut self, arena: &Arena, budget: &mut Budget) -> Option<bool> {
        while let Some((id, holds)) = self.agenda.pop() {
            if self.settled.contains(&(id, !holds)) {
                return Some(false);
            }
            if !self.settled.insert((id, holds)) {
                continue;
            }
            if !budget.spend(expansion(arena, id)) {
                return None;
            }
            match parts(arena, self.kind, id, holds) {
                Parts::Constant(true) | Parts::Atom => {}
                Parts::Constant(false) => return Some(false),
                Parts::All(all) => self.agenda.extend(all),
                Parts::Any(any) => self.choices.push(any),
            }
        }
        Some(true)
    }

    /// Drops the alternatives that are already excluded and the choices that are already made, and
    /// picks the smallest choice that remains.
    pub(super) fn simplify(&mut self, arena: &Arena) -> Simplified {
        let mut choices = std::mem::take(&mut self.choices);
        choices.retain(|choice| !choice.iter().any(|alternative| self.holds(alternative)));
        for choice in &mut choices {
            choice.retain(|alternative| !self.is_excluded(arena, alternative));
        }
        if choices.iter().any(Vec::is_empty) {
            return Simplified::Contradiction;
        }
        // Everything that is forced is taken at once: each look at the branch costs its size.
        choices.retain(|choice| match choice.as_slice() {
            [only] => {
                self.agenda.extend_from_slice(only);
                false
            }
            _ => true,
        });
        choices.sort_by_key(Vec::len);
        if !self.agenda.is_empty() {
            self.choices = choices;
            return Simplified::Forced;
        }
        let mut choices = choices.into_iter();
        match choices.next() {
            None => Simplified::Done,
            Some(choice) => {
                self.choices = choices.collect();
                Simplified::Choice(choice)
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
        let is_false = |id: Id, holds: bool| {
            self.settled.contains(&(id, !holds))
                || constant(arena, self.kind, id, holds) == Some(false)
        };
        match (arena.get(id), holds) {
            (Formula::All(ids), true) | (Formula::Any(ids), false) => {
                ids.iter().any(|id| is_false(*id, holds))
            }
            (Formula::Any(ids), true) | (Formula::All(ids), false) => ids.is_empty(),
            (Formula::Not(inner), _) => is_false(*inner, !holds),
            (Formula::Reference(definition), _) => {
                arena.definition(*definition).is_some_and(|target| is_false(target, holds))
            }
            _ => constant(arena, self.kind, id, holds) == Some(false),
        }
    }
}

/// Whether an atom is true of all values of a kind, or of none.
fn constant(arena: &Arena, kind: ValueKind, id: Id, holds: bool) -> Option<bool> {
    match arena.get(id) {
        Formula::Atom(Atom::Kinds(kinds)) => Some(kinds.has(kind) == holds),
        Formula::Atom(atom) if !atom.is_about(kind) => Some(holds),
        _ => None,
    }
}

/// What taking a formula apart costs.
fn expansion(arena: &Arena, id: Id) -> usize {
    match arena.get(id) {
        Formula::One(ids) => ids.len().saturating_mul(ids.len()),
        _ => arena.width(id),
    }
}

fn parts(arena: &Arena, kind: ValueKind, id: Id, holds: bool) -> Parts {
    let each = |ids: &[Id]| ids.iter().map(|id| (*id, holds)).collect();
    let either = |ids: &[Id]| ids.iter().map(|id| [(*id, holds)].into()).collect();
    match arena.get(id) {
        Formula::Atom(_) => match constant(arena, kind, id, holds) {
            Some(constant) => Parts::Constant(constant),
            None => Parts::Atom,
        },
        Formula::Not(inner) => Parts::All(vec![(*inner, !holds)]),
        Formula::All(ids) if holds => Parts::All(each(ids)),
        Formula::All(ids) => Parts::Any(either(ids)),
        Formula::Any(ids) if holds => Parts::Any(either(ids)),
        Formula::Any(ids) => Parts::All(each(ids)),
        Formula::One(ids) if holds => Parts::Any(exactly_one(ids)),
        Formula::One(ids) => Parts::Any(none_or_two(ids)),
        Formula::If(condition, then, otherwise) => Parts::Any(vec![
            [(*condition, true), (*then, holds)].into(),
            [(*condition, false), (*otherwise, holds)].into(),
        ]),
        Formula::Reference(definition) => match arena.definition(*definition) {
            Some(target) => Parts::All(vec![(target, holds)]),
            // INVARIANT: lowering defines whatever it refers to.
            None => Parts::Atom,
        },
    }
}

fn exactly_one(ids: &[Id]) -> Vec<Alternative> {
    ids.iter()
        .enumerate()
        .map(|(chosen, _)| {
            ids.iter().enumerate().map(|(index, id)| (*id, index == chosen)).collect()
        })
        .collect()
}

fn none_or_two(ids: &[Id]) -> Vec<Alternative> {
    let mut alternatives: Vec<Alternative> = vec![ids.iter().map(|id| (*id, false)).collect()];
    for (index, first) in ids.iter().enumerate() {
        let others = ids.iter().skip(index + 1);
        alternatives.extend(others.map(|second| [(*first, true), (*second, true)].into()));
    }
    alternatives
}
