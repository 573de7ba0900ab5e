//! The types that a schema allows by what it says about types.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{compare::Kinds, references::References};

/// How far references and alternatives are followed.
const MAX_DEPTH: usize = 8;

/// Finds the types that the schemas of one document allow.
pub(super) struct Types<'s> {
    references: References<'s>,
    /// What is known of schemas, by their address and how far they are from where the search began.
    known: BTreeMap<(usize, usize), Kinds>,
}

impl<'s> Types<'s> {
    pub(super) fn new(root: &'s Value) -> Self {
        Self { references: References::of(root), known: BTreeMap::new() }
    }

    /// The types that `type`, and the alternatives and references that stand in for it, allow.
    ///
    /// Constants and enumerations do not count: a new option of another type is a new option.
    pub(super) fn of(&mut self, schema: &'s Value) -> Kinds {
        // `false` in place of a whole schema is not about types.
        if schema.is_boolean() { Kinds::all() } else { self.allowed(schema, 0) }
    }

    fn allowed(&mut self, schema: &'s Value, depth: usize) -> Kinds {
        let keywords = match schema {
            Value::Object(keywords) => keywords,
            // An alternative that accepts nothing adds no type.
            Value::Bool(false) => return Kinds::default(),
            _ => return Kinds::all(),
        };
        if depth > MAX_DEPTH {
            return Kinds::all();
        }
        let place = (std::ptr::from_ref(schema).addr(), depth);
        if let Some(known) = self.known.get(&place) {
            return *known;
        }
        let list = |keyword: &str| keywords.get(keyword).and_then(Value::as_array);
        let mut kinds = match keywords.get("type") {
            Some(Value::String(name)) => Kinds::named(name),
            Some(Value::Array(names)) => names
                .iter()
                .filter_map(Value::as_str)
                .fold(Kinds::default(), |kinds, name| kinds.union(Kinds::named(name))),
            _ => Kinds::all(),
        };
        for schema in list("allOf").into_iter().flatten() {
            kinds = kinds.intersection(self.allowed(schema, depth + 1));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(alternatives) = list(keyword) {
                let union = alternatives.iter().fold(Kinds::default(), |union, schema| {
                    union.union(self.allowed(schema, depth + 1))
                });
                kinds = kinds.intersection(union);
            }
        }
        let target = keywords.get("$ref").and_then(Value::as_str);
        if let Some((_, target)) = target.and_then(|reference| self.references.resolve(reference)) {
            kinds = kinds.intersection(self.allowed(target, depth + 1));
        }
        self.known.insert(place, kinds);
        kinds
    }
}
