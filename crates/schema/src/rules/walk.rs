//! The walk through a value and the rules for it.

use assent_json::Node;

use super::{
    Breach, Described, Reason, Rule, Rules, Schema, SchemaId, marks::Marks, place, subject::Subject,
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
    /// The way to the value that breaks a rule, unless only the verdict is asked for: each value on
    /// the way back puts itself before it.
    pub(super) path: String,
    /// What was looked at in the value that the last breach of `unevaluatedProperties` is about.
    pub(super) evaluated: Marks,
    steps: u64,
    open: u32,
}

impl<'r> Walk<'r> {
    pub(super) fn new(rules: &'r Rules, input: Node<'_>, verdict_only: bool) -> Self {
        let steps = MAX_SCHEMAS_PER_VALUE + STEPS_PER_BYTE * input.source().len() as u64;
        Self {
            rules,
            verdict_only,
            path: String::new(),
            evaluated: Marks::default(),
            steps,
            open: 0,
        }
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
    pub(super) fn breach(&mut self, schema: SchemaId, value: &Subject<'_>) -> Option<Breach<'r>> {
        let schema = self.enter(schema)?;
        if schema.has_unevaluated {
            let found = self.breach_and_marks(schema, value).0;
            self.leave();
            return found;
        }
        let mut found = self.breach_of_own(schema, value, None);
        if found.is_none() && !schema.rules.is_empty() {
            found = schema.rules.iter().find_map(|described| self.breach_of(described, value));
        }
        self.leave();
        found
    }

    /// The first rule that is broken among those that hold no schemas but for members. Notes which
    /// members they look at.
    // Every value comes through here, and one call less is felt.
    #[inline(always)]
    pub(super) fn breach_of_own(
        &mut self,
        schema: &'r Schema,
        value: &Subject<'_>,
        marks: Option<&mut Marks>,
    ) -> Option<Breach<'r>> {
        if let Some(kinds) = &schema.kinds
            && !value.is_of(kinds.rule)
        {
            return Some(Breach::at(&kinds.reason, value));
        }
        if let Some(members) = &schema.members
            && let Some(object) = value.object()
            && let Some(breach) = self.breach_in_members(members, object, marks)
        {
            return Some(breach);
        }
        let mut values = schema.values.iter();
        let broken = values.find(|described| !self.is_among(&described.rule, value));
        let broken = broken.map(|described| &described.reason);
        let broken = broken.or_else(|| self.broken_limit(&schema.limits, value));
        broken.map(|reason| Breach::at(reason, value))
    }

    /// The schema, or nothing if the walk has to be given up.
    pub(super) fn enter(&mut self, schema: SchemaId) -> Option<&'r Schema> {
        if self.open == MAX_OPEN {
            self.steps = 0;
        }
        self.steps = self.steps.saturating_sub(1);
        if self.steps == 0 {
            return None;
        }
        let schema = self.rules.schemas.get(schema)?;
        self.open += 1;
        Some(schema)
    }

    pub(super) fn leave(&mut self) {
        self.open -= 1;
    }

    pub(super) fn keeps(&mut self, schema: SchemaId, value: &Subject<'_>) -> bool {
        let outer = std::mem::replace(&mut self.verdict_only, true);
        let breach = self.breach(schema, value);
        self.verdict_only = outer;
        breach.is_none()
    }

    /// The place where one rule is broken.
    pub(super) fn breach_of(
        &mut self,
        described: &'r Described<Rule>,
        value: &Subject<'_>,
    ) -> Option<Breach<'r>> {
        let kept = match &described.rule {
            Rule::Also(schema) => return self.breach(*schema, value),
            Rule::ItemAt(index, schema) => {
                self.take_steps(*index);
                let item = value.array()?.elements().nth(*index)?;
                return self.breach_of_item(*schema, *index, item);
            }
            Rule::ItemsFrom(first, schema) => {
                let mut items = value.array()?.elements().enumerate().skip(*first);
                return items.find_map(|(index, item)| self.breach_of_item(*schema, index, item));
            }
            Rule::If(condition, then, otherwise) => {
                let branch = if self.keeps(*condition, value) { then } else { otherwise };
                return self.breach((*branch)?, value);
            }
            Rule::Dependent(name, schema) => {
                value.object()?.get(name)?;
                return self.breach(*schema, value);
            }
            Rule::OneOf(schemas, several) => {
                return self.breach_of_one(schemas, [&described.reason, several], value);
            }
            Rule::AnyOf(schemas) => self.fitting(schemas, 1, value) == 1,
            Rule::Not(schema) => !self.keeps(*schema, value),
            Rule::Names(schema) => {
                let mut members = value.object()?.members();
                members.all(|(name, _)| self.keeps(*schema, &Subject::name(name)))
            }
            Rule::Contains { schema, least, most } => {
                let items = value.array()?.elements();
                let fitting = items.filter(|item| self.keeps(*schema, &Subject::value(*item)));
                (*least..=*most).contains(&(fitting.count() as u64))
            }
            // Only schemas that note what was looked at have these, and look at them themselves.
            Rule::UnevaluatedMembers(_) | Rule::UnevaluatedItems(_) => true,
        };
        (!kept).then(|| Breach::at(&described.reason, value))
    }

    fn breach_of_item(
        &mut self,
        schema: SchemaId,
        index: usize,
        item: Node<'_>,
    ) -> Option<Breach<'r>> {
        let breach = self.breach(schema, &Subject::value(item))?;
        if !self.verdict_only {
            place::prepend_index(&mut self.path, index);
        }
        Some(breach)
    }

    fn breach_of_one(
        &mut self,
        schemas: &[SchemaId],
        [none, several]: [&'r Reason; 2],
        value: &Subject<'_>,
    ) -> Option<Breach<'r>> {
        match self.fitting(schemas, 2, value) {
            0 => Some(Breach::at(none, value)),
            1 => None,
            _ => Some(Breach::at(several, value)),
        }
    }

    /// True if an object lacks a name that a schema asks for: the cheapest way to see that an
    /// alternative is not meant.
    fn lacks(&mut self, schema: SchemaId, value: &Subject<'_>) -> bool {
        let members = self.rules.schemas.get(schema).and_then(|schema| schema.members.as_ref());
        let telling = members.and_then(|members| members.telling.as_deref());
        self.take_steps(1);
        telling.zip(value.object()).is_some_and(|(name, object)| object.get(name).is_none())
    }

    /// How many schemas `value` keeps, counted up to `most`.
    fn fitting(&mut self, schemas: &[SchemaId], most: usize, value: &Subject<'_>) -> usize {
        let outer = std::mem::replace(&mut self.verdict_only, true);
        let fitting = schemas.iter().filter(|schema| {
            !self.lacks(**schema, value) && self.breach(**schema, value).is_none()
        });
        let count = fitting.take(most).count();
        self.verdict_only = outer;
        count
    }
}
