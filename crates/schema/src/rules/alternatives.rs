//! `anyOf` and `oneOf`: schemas of which one has to fit.

use std::collections::BTreeMap;

use assent_json::Node;

use super::{SchemaId, value::object, walk::Walk, words::Words};

/// Schemas of which one has to fit.
#[derive(Debug)]
pub(super) struct Alternatives {
    pub(super) schemas: Vec<SchemaId>,
    /// Names that an object must have to fit, each with the bits of the alternatives that ask for
    /// it: the cheapest way to see which one is meant.
    telling: Words<u64>,
    /// The bits of the alternatives that ask for such a name.
    asking: u64,
}

impl Alternatives {
    /// With the telling name of each schema, if it has one.
    pub(super) fn new<'s>(all: impl Iterator<Item = (SchemaId, Option<&'s str>)>) -> Self {
        let (schemas, names): (Vec<_>, Vec<_>) = all.unzip();
        let mut telling = BTreeMap::<&str, u64>::new();
        for (name, position) in names.into_iter().zip(0..u64::BITS) {
            if let Some(name) = name {
                *telling.entry(name).or_default() |= 1 << position;
            }
        }
        let asking = telling.values().fold(0, |all, bits| all | bits);
        let telling = telling.into_iter().map(|(name, bits)| (name.to_owned(), bits));
        Self { schemas, telling: Words::new(telling), asking }
    }
}

impl Walk<'_> {
    /// How many alternatives `value` keeps, counted up to `most`.
    pub(super) fn fitting(
        &mut self,
        alternatives: &Alternatives,
        most: usize,
        value: Node<'_>,
    ) -> usize {
        let excluded = self.excluded(alternatives, value);
        let outer = std::mem::replace(&mut self.verdict_only, true);
        let fitting = alternatives.schemas.iter().zip(0..).filter(|(schema, position)| {
            let is_excluded = excluded.checked_shr(*position).is_some_and(|bits| bits & 1 == 1);
            !is_excluded && self.breach(**schema, value).is_none()
        });
        let count = fitting.take(most).count();
        self.verdict_only = outer;
        count
    }

    /// The bits of the alternatives that ask for a name which an object does not have.
    fn excluded(&mut self, alternatives: &Alternatives, value: Node<'_>) -> u64 {
        if alternatives.asking == 0 {
            return 0;
        }
        let Some(object) = object(value) else { return 0 };
        self.take_steps(object.len());
        let names = object.members().with_key_nodes().filter_map(|(name, _)| name.as_bytes());
        let bits = names.filter_map(|name| alternatives.telling.find(name));
        bits.fold(alternatives.asking, |excluded, bits| excluded & !bits)
    }
}
