//! The walk through a value and the rules for it.

use assent_json::Node;

use super::{
    Breach, Described, Reason, Rule, Rules, Schema, SchemaId,
    marks::Marks,
    value::{array, is_of, object},
};
use crate::inspect::MAX_SCHEMAS_PER_VALUE;

/// Each byte of a document allows so many steps. Schemas written for people need less than one;
/// references that multiply along the depth of a document have no bound, and the validator, which
/// remembers what it has seen, takes over.
const STEPS_PER_BYTE: u64 = 8;

/// So many schemas may be open at the same time: a thread with two megabytes of stack can do it.
const MAX_OPEN: u32 = 512;

/// Comparing or matching so many bytes counts as a step.
pub(super) const BYTES_PER_STEP: usize = 32;

/// A walk through one document.
pub(super) struct Walk<'r> {
    pub(super) rules: &'r Rules,
    /// Whether any rule is broken is enough, which one is the first does not matter.
    pub(super) verdict_only: bool,
    /// What was looked at in the value that the last breach of `unevaluatedProperties` is about.
    pub(super) evaluated: Marks,
    steps: u64,
    open: u32,
}

impl<'r> Walk<'r> {
    pub(super) fn new(rules: &'r Rules, input: Node<'_>, verdict_only: bool) -> Self {
        let steps = MAX_SCHEMAS_PER_VALUE + STEPS_PER_BYTE * input.source().len() as u64;
        Self { rules, verdict_only, evaluated: Marks::default(), steps, open: 0 }
    }

    /// False if the walk was given up: then nothing that it said means anything.
    pub(super) fn is_finished(&self) -> bool {
        self.steps > 0
    }

    pub(super) fn take_steps(&mut self, steps: usize) {
        self.steps = self.steps.saturating_sub(steps as u64);
    }

    pub(super) fn take_bytes(&mut self, bytes: usize) {
        self.take_steps(bytes / BYTES_PER_STEP);
    }

    /// The first rule of a schema that `value` breaks.
    #[inline]
    pub(super) fn breach(&mut self, schema: SchemaId, value: Node<'_>) -> Option<Breach<'r>> {
        let schema = self.look_at(schema)?;
        if !schema.is_flat {
            return self.breach_below(schema, value);
        }
        let broken = broken_kind(schema, value).or_else(|| self.broken_fact(schema, value));
        broken.map(|reason| Breach::at(reason, value))
    }

    /// As [`Self::breach`], for a schema that holds others.
    // Most values are small and plain: what is only needed here stays out of their way.
    #[inline(never)]
    fn breach_below(&mut self, schema: &'r Schema, value: Node<'_>) -> Option<Breach<'r>> {
        self.enter()?;
        let found = if schema.has_unevaluated {
            self.breach_and_marks(schema, value).0
        } else {
            let own = self.breach_of_own(schema, value, None);
            let mut rules = schema.rules.iter();
            own.or_else(|| rules.find_map(|described| self.breach_of(described, value)))
        };
        self.leave();
        found
    }

    /// The first rule that is broken among those that hold no schemas but for members. Notes which
    /// members they look at.
    pub(super) fn breach_of_own(
        &mut self,
        schema: &'r Schema,
        value: Node<'_>,
        marks: Option<&mut Marks>,
    ) -> Option<Breach<'r>> {
        if let Some(reason) = broken_kind(schema, value) {
            return Some(Breach::at(reason, value));
        }
        if let Some(members) = &schema.members
            && let Some(object) = object(value)
            && let Some(breach) = self.breach_in_members(members, object, marks)
        {
            return Some(breach);
        }
        self.broken_fact(schema, value).map(|reason| Breach::at(reason, value))
    }

    /// Why `value` is none of those that are allowed, or breaks a limit.
    #[inline]
    fn broken_fact(&mut self, schema: &'r Schema, value: Node<'_>) -> Option<&'r Reason> {
        if !schema.values.is_empty() {
            let mut values = schema.values.iter();
            if let Some(broken) = values.find(|described| !self.is_among(&described.rule, value)) {
                return Some(&broken.reason);
            }
        }
        self.broken_limit(&schema.limits, value)
    }

    /// The schema, or nothing if the walk has to be given up.
    #[inline]
    pub(super) fn look_at(&mut self, schema: SchemaId) -> Option<&'r Schema> {
        self.take_steps(1);
        self.rules.schemas.get(schema).filter(|_| self.steps > 0)
    }

    /// Nothing if the walk has to be given up.
    pub(super) fn enter(&mut self) -> Option<()> {
        if self.open == MAX_OPEN {
            self.steps = 0;
            return None;
        }
        self.open += 1;
        Some(())
    }

    pub(super) fn leave(&mut self) {
        self.open -= 1;
    }

    pub(super) fn keeps(&mut self, schema: SchemaId, value: Node<'_>) -> bool {
        let outer = std::mem::replace(&mut self.verdict_only, true);
        let breach = self.breach(schema, value);
        self.verdict_only = outer;
        breach.is_none()
    }

    /// The place where one rule is broken.
    pub(super) fn breach_of(
        &mut self,
        described: &'r Described<Rule>,
        value: Node<'_>,
    ) -> Option<Breach<'r>> {
        let kept = match &described.rule {
            Rule::Also(schema) => return self.breach(*schema, value),
            Rule::ItemAt(index, schema) => {
                self.take_steps(*index);
                let item = array(value)?.elements().nth(*index)?;
                return self.breach(*schema, item);
            }
            Rule::ItemsFrom(first, schema) => {
                let mut items = array(value)?.elements().skip(*first);
                return items.find_map(|item| self.breach(*schema, item));
            }
            Rule::If(condition, then, otherwise) => {
                let branch = if self.keeps(*condition, value) { then } else { otherwise };
                return self.breach((*branch)?, value);
            }
            Rule::Dependent(name, schema) => {
                object(value)?.get(name)?;
                return self.breach(*schema, value);
            }
            Rule::OneOf(alternatives, several) => {
                return match self.fitting(alternatives, 2, value) {
                    0 => Some(Breach::at(&described.reason, value)),
                    1 => None,
                    _ => Some(Breach::at(several, value)),
                };
            }
            Rule::AnyOf(alternatives) => self.fitting(alternatives, 1, value) == 1,
            Rule::Not(schema) => !self.keeps(*schema, value),
            Rule::Names(schema) => {
                let mut members = object(value)?.members().with_key_nodes();
                members.all(|(name, _)| self.keeps(*schema, name))
            }
            Rule::Contains { schema, least, most } => {
                let items = array(value)?.elements();
                let fitting = items.filter(|item| self.keeps(*schema, *item));
                (*least..=*most).contains(&(fitting.count() as u64))
            }
            // Only schemas that note what was looked at have these, and look at them themselves.
            Rule::UnevaluatedMembers(_) | Rule::UnevaluatedItems(_) => true,
        };
        (!kept).then(|| Breach::at(&described.reason, value))
    }
}

/// Why `value` is not of a kind that a schema is about.
#[inline]
fn broken_kind<'r>(schema: &'r Schema, value: Node<'_>) -> Option<&'r Reason> {
    let kinds = schema.kinds.as_ref()?;
    (!is_of(value, kinds.rule)).then_some(&kinds.reason)
}
