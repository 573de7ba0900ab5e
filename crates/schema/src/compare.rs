//! Compares schemas by meaning: which inputs does one accept and the other refuse?
//!
//! ```
//! use assent_schema::{Verdict, compare};
//! use serde_json::json;
//!
//! let old = json!({"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}}});
//! let new = json!({"type": "object", "properties": {"n": {"type": "integer", "maximum": 5}}});
//! let comparison = compare(&old, &new).unwrap();
//! assert_eq!(comparison.verdict(), Verdict::Narrower);
//! assert_eq!(comparison.lost.witness(), Some(&json!({"n": 6})));
//! ```
//!
//! Both schemas become [formulas](formula::Formula). A value that one accepts and the other refuses
//! is one that makes the first formula true and the second false; the [solver](solve) finds it or
//! proves that there is none. What it finds is confirmed by the validator before it is reported.

mod automaton;
mod budget;
mod format;
mod formula;
mod lower;
mod rational;
mod solve;

use serde_json::Value;

pub(crate) use self::formula::{Kinds, ValueKind};
use self::{
    automaton::Patterns,
    budget::Budget,
    formula::{Arena, Id},
    solve::{Goal, Outcome, Solver},
};
use crate::{
    InputSchema, SchemaProblem,
    inspect::{CompileBudget, inspect, is_usable_mixture, size},
};

/// The work that one question may cost: a few hundredths of a second.
const UNITS_PER_QUESTION: usize = 640_000;

/// The work that all questions to one [`Comparer`] may cost.
const UNITS_IN_ALL: usize = 10_000_000;

/// The work that translating all schemas of one [`Comparer`] into formulas may cost.
const LOWERING_UNITS_IN_ALL: usize = 1_000_000;

/// The schemas that a [`Comparer`] takes in all, in bytes.
const BYTES_IN_ALL: usize = 2 << 20;

/// Compares two schemas.
///
/// # Errors
///
/// The problems of the schema that is not usable; of the old one if both are.
pub fn compare(old: &Value, new: &Value) -> Result<Comparison, Vec<SchemaProblem>> {
    let mut comparer = Comparer::default();
    let old = comparer.add(old)?;
    let new = comparer.add(new)?;
    Ok(comparer.compare(old, new))
}

/// What changed from an old schema to a new one.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Inputs that only the old schema accepts.
    pub lost: Difference,
    /// Inputs that only the new schema accepts.
    pub gained: Difference,
}

impl Comparison {
    /// The comparison in one word.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match (&self.lost, &self.gained) {
            (Difference::Undecided, _) | (_, Difference::Undecided) => Verdict::Unknown,
            (Difference::Nothing, Difference::Nothing) => Verdict::Equal,
            (Difference::Nothing, Difference::Witness(_)) => Verdict::Wider,
            (Difference::Witness(_), Difference::Nothing) => Verdict::Narrower,
            (Difference::Witness(_), Difference::Witness(_)) => Verdict::Incomparable,
        }
    }
}

/// Whether there is an input that some schemas accept and others refuse.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference {
    /// There is none: this is proved.
    Nothing,
    /// There is, and this is one: the validator has confirmed it.
    Witness(Value),
    /// It could not be decided within bounds.
    Undecided,
}

impl Difference {
    /// The input, if one was found.
    #[must_use]
    pub fn witness(&self) -> Option<&Value> {
        match self {
            Self::Witness(witness) => Some(witness),
            Self::Nothing | Self::Undecided => None,
        }
    }
}

/// How the inputs that a new schema accepts relate to those of the old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Both accept the same inputs.
    Equal,
    /// The new one accepts all that the old one does, and more.
    Wider,
    /// The new one accepts only some of what the old one does.
    Narrower,
    /// Each accepts something that the other refuses.
    Incomparable,
    /// It could not be decided within bounds.
    Unknown,
}

impl Verdict {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Wider => "wider",
            Self::Narrower => "narrower",
            Self::Incomparable => "incomparable",
            Self::Unknown => "unknown",
        }
    }
}

/// Answers questions about several schemas. What was learnt about one question helps the next.
pub struct Comparer {
    arena: Arena,
    patterns: Patterns,
    schemas: Vec<Known>,
    solving: Budget,
    lowering: Budget,
    bytes: usize,
}

impl Default for Comparer {
    fn default() -> Self {
        Self {
            arena: Arena::default(),
            patterns: Patterns::default(),
            schemas: Vec::new(),
            solving: Budget::new(UNITS_IN_ALL),
            lowering: Budget::new(LOWERING_UNITS_IN_ALL),
            bytes: 0,
        }
    }
}

/// A schema that was [added](Comparer::add) to a comparer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemaHandle(usize);

struct Known {
    /// Nothing if translating the schema would cost too much.
    formula: Option<Id>,
    confirmation: Confirmation,
}

/// What confirms witnesses.
enum Confirmation {
    NotNeeded,
    /// Compiled when the first witness needs to be confirmed.
    Uncompiled(Value),
    Compiled(Box<InputSchema>),
    Failed,
}

impl Confirmation {
    /// True if the validator accepts `input`, or refuses it, as is `wanted`.
    fn confirms(&mut self, input: assent_json::Node<'_>, wanted: bool) -> bool {
        if let Self::Uncompiled(schema) = self {
            *self = match InputSchema::compile_inspected(std::mem::take(schema)) {
                Ok(compiled) => Self::Compiled(Box::new(compiled)),
                Err(_) => Self::Failed,
            };
        }
        match self {
            Self::NotNeeded => true,
            Self::Compiled(compiled) => compiled.validator_accepts(input) == wanted,
            Self::Uncompiled(_) | Self::Failed => false,
        }
    }
}

impl Comparer {
    /// Makes a schema known.
    ///
    /// # Errors
    ///
    /// All the problems that make the schema unusable.
    pub fn add(&mut self, schema: &Value) -> Result<SchemaHandle, Vec<SchemaProblem>> {
        let problems = inspect(schema, &mut CompileBudget::default());
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(self.add_usable(schema))
    }

    /// Makes a schema known that [`crate::inspect()`] found nothing wrong with before.
    pub fn add_usable(&mut self, schema: &Value) -> SchemaHandle {
        self.push(schema, Confirmation::Uncompiled)
    }

    fn push(
        &mut self,
        schema: &Value,
        confirmation: impl FnOnce(Value) -> Confirmation,
    ) -> SchemaHandle {
        // The order of keys means nothing, so it must not decide what is found either.
        let mut sorted = schema.clone();
        sorted.sort_all_objects();
        let formula = lower::lower(&mut self.arena, &sorted, &mut self.lowering);
        self.schemas.push(Known { formula, confirmation: confirmation(sorted) });
        SchemaHandle(self.schemas.len() - 1)
    }

    /// Makes a schema known that lies between two added ones: one with a single edit on the way to
    /// the other. Nothing if it is not usable, or if it would cost too much.
    ///
    /// It helps to find witnesses, but is not asked to confirm them: it is never used to check input.
    pub fn add_between(&mut self, schema: &Value) -> Option<SchemaHandle> {
        self.bytes += size(schema);
        let usable = self.bytes <= BYTES_IN_ALL && is_usable_mixture(schema);
        usable.then(|| self.push(schema, |_| Confirmation::NotNeeded))
    }

    /// True if [`Self::add_between`] takes no more schemas.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.bytes > BYTES_IN_ALL || self.solving.is_exhausted() || self.lowering.is_exhausted()
    }

    /// Compares two schemas that were added.
    pub fn compare(&mut self, old: SchemaHandle, new: SchemaHandle) -> Comparison {
        Comparison { lost: self.find(&[old], &[new]), gained: self.find(&[new], &[old]) }
    }

    /// Looks for an input that all the first schemas accept and all the others refuse.
    pub fn find(
        &mut self,
        accepted_by: &[SchemaHandle],
        refused_by: &[SchemaHandle],
    ) -> Difference {
        let known = |handle: &SchemaHandle| self.schemas.get(handle.0);
        let literals = |handles: &[SchemaHandle], holds| -> Option<Vec<_>> {
            let known = handles.iter().filter_map(known);
            known.map(|known| Some((known.formula?, holds))).collect()
        };
        let (Some(holding), Some(failing)) =
            (literals(accepted_by, true), literals(refused_by, false))
        else {
            return Difference::Undecided;
        };
        let goal: Goal = holding.into_iter().chain(failing).collect();
        match self.solve(&goal) {
            Outcome::Impossible => Difference::Nothing,
            Outcome::Found(mut witness) => {
                witness.sort_all_objects();
                if self.confirms(&witness, accepted_by, refused_by) {
                    Difference::Witness(witness)
                } else {
                    Difference::Undecided
                }
            }
            Outcome::Unknown => Difference::Undecided,
        }
    }

    fn solve(&mut self, goal: &Goal) -> Outcome {
        let units = UNITS_PER_QUESTION.min(self.solving.remaining());
        let mut budget = Budget::new(units);
        let outcome = Solver::new(&mut self.arena, &mut self.patterns, &mut budget).solve(goal);
        let affordable = self.solving.spend(units - budget.remaining());
        if affordable { outcome } else { Outcome::Unknown }
    }

    /// Asks the validator, reading the witness as a tool would be given it.
    fn confirms(
        &mut self,
        witness: &Value,
        accepted_by: &[SchemaHandle],
        refused_by: &[SchemaHandle],
    ) -> bool {
        let text = witness.to_string();
        let Ok(document) = assent_json::read(text.as_bytes()) else { return false };
        let accepted = accepted_by.iter().map(|handle| (handle, true));
        let refused = refused_by.iter().map(|handle| (handle, false));
        accepted.chain(refused).all(|(handle, wanted)| {
            let known = self.schemas.get_mut(handle.0);
            known.is_none_or(|known| known.confirmation.confirms(document.root(), wanted))
        })
    }
}
