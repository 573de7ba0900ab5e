//! From a JSON Schema to a formula.

mod unevaluated;

use std::collections::BTreeMap;

use assent_json::Pointer;
use serde_json::{Map, Value};

use super::{
    budget::{Budget, text_units, value_units},
    format,
    formula::{Arena, Atom, Formula, Id, Kinds, ValueKind},
    rational,
};
use crate::references::References;

/// The formula that is true of exactly the values that `schema` accepts.
///
/// INVARIANT: `schema` was inspected, so its references are local, exist and do not go in circles
/// without looking into the value.
///
/// Nothing if the budget is used up.
pub(crate) fn lower(arena: &mut Arena, schema: &Value, budget: &mut Budget) -> Option<Id> {
    let references = References::of(schema);
    let mut lowering = Lowering {
        arena,
        budget,
        references,
        known: BTreeMap::new(),
        definitions: BTreeMap::new(),
        waiting: Vec::new(),
    };
    let formula = lowering.schema(schema);
    // One after another, not inside each other: chains of references may be long.
    while let Some((definition, schema)) = lowering.waiting.pop() {
        let formula = lowering.schema(schema);
        lowering.arena.define(definition, formula);
    }
    (!lowering.budget.is_exhausted()).then_some(formula)
}

struct Lowering<'a, 's> {
    arena: &'a mut Arena,
    budget: &'a mut Budget,
    /// Schemas that were lowered before, by their address.
    known: BTreeMap<usize, Id>,
    references: References<'s>,
    definitions: BTreeMap<Pointer, usize>,
    /// Definitions that were referred to and are not yet lowered.
    waiting: Vec<(usize, &'s Value)>,
}

impl<'s> Lowering<'_, 's> {
    fn schema(&mut self, schema: &'s Value) -> Id {
        let address = std::ptr::from_ref(schema).addr();
        if let Some(known) = self.known.get(&address) {
            return *known;
        }
        let formula = self.fresh_schema(schema);
        self.known.insert(address, formula);
        formula
    }

    fn fresh_schema(&mut self, schema: &'s Value) -> Id {
        if !self.budget.spend(1) {
            return self.arena.never();
        }
        match schema {
            Value::Object(keywords) => {
                let mut parts = Vec::new();
                for (keyword, value) in keywords {
                    self.keyword(keywords, keyword, value, &mut parts);
                }
                parts.extend(self.unevaluated_members(keywords));
                parts.extend(self.unevaluated_items(keywords));
                self.arena.all(parts)
            }
            Value::Bool(false) => self.arena.never(),
            _ => self.arena.always(),
        }
    }

    fn keyword(
        &mut self,
        schema: &'s Map<String, Value>,
        keyword: &str,
        value: &'s Value,
        parts: &mut Vec<Id>,
    ) {
        match keyword {
            "$ref" | "$dynamicRef" => parts.extend(self.reference(value)),
            "type" => parts.push(self.kinds(value)),
            "const" => parts.push(self.constant(value)),
            "enum" => parts.push(self.enumeration(value)),
            "allOf" => parts.extend(self.list(value)),
            "anyOf" => {
                let alternatives = self.list(value);
                parts.push(self.arena.any(alternatives));
            }
            "oneOf" => {
                let alternatives = self.list(value);
                parts.push(self.arena.add(Formula::One(alternatives)));
            }
            "not" => {
                let refused = self.schema(value);
                parts.push(self.arena.add(Formula::Not(refused)));
            }
            "if" => parts.push(self.conditional(schema, value)),
            "dependentRequired" | "dependentSchemas" | "dependencies" => {
                self.dependencies(value, parts);
            }
            "properties"
            | "patternProperties"
            | "additionalProperties"
            | "propertyNames"
            | "required" => self.members(schema, keyword, value, parts),
            "prefixItems" | "items" | "contains" => self.items(schema, keyword, value, parts),
            _ => parts.extend(self.limit(keyword, value).map(|atom| self.arena.atom(atom))),
        }
    }

    fn list(&mut self, value: &'s Value) -> Vec<Id> {
        value.as_array().into_iter().flatten().map(|schema| self.schema(schema)).collect()
    }

    fn reference(&mut self, value: &'s Value) -> Option<Id> {
        let (pointer, target) = self.references.resolve(value.as_str()?)?;
        if let Some(definition) = self.definitions.get(&pointer) {
            return Some(self.arena.add(Formula::Reference(*definition)));
        }
        let definition = self.arena.reserve();
        self.definitions.insert(pointer, definition);
        self.waiting.push((definition, target));
        Some(self.arena.add(Formula::Reference(definition)))
    }

    fn kinds(&mut self, value: &Value) -> Id {
        let names: Vec<&Value> = match value {
            Value::Array(names) => names.iter().collect(),
            name => vec![name],
        };
        let kinds = names
            .into_iter()
            .filter_map(Value::as_str)
            .fold(Kinds::default(), |kinds, name| kinds.union(Kinds::named(name)));
        self.arena.atom(Atom::Kinds(kinds))
    }

    fn enumeration(&mut self, value: &Value) -> Id {
        let options = value.as_array().into_iter().flatten();
        let options = options.map(|option| self.constant(option)).collect();
        self.arena.any(options)
    }

    fn constant(&mut self, value: &Value) -> Id {
        if !self.budget.spend(value_units(value)) {
            return self.arena.never();
        }
        constant(self.arena, value)
    }

    fn conditional(&mut self, schema: &'s Map<String, Value>, condition: &'s Value) -> Id {
        let condition = self.schema(condition);
        let mut branch = |keyword| match schema.get(keyword) {
            Some(schema) => self.schema(schema),
            None => self.arena.always(),
        };
        let (then, otherwise) = (branch("then"), branch("else"));
        self.arena.add(Formula::If(condition, then, otherwise))
    }

    /// `dependentRequired`, `dependentSchemas`, and `dependencies`, which once was both.
    fn dependencies(&mut self, value: &'s Value, parts: &mut Vec<Id>) {
        for (name, wanted) in value.as_object().into_iter().flatten() {
            let has = self.arena.atom(Atom::Has(name.clone()));
            let lacks = self.arena.add(Formula::Not(has));
            let alternatives = if let Value::Array(names) = wanted {
                let names = names.iter().filter_map(Value::as_str);
                let required =
                    names.map(|name| self.arena.atom(Atom::Has(name.to_owned()))).collect();
                vec![lacks, self.arena.all(required)]
            } else {
                let object = self.arena.atom(Atom::Kinds(Kinds::of(&[ValueKind::Object])));
                let not_object = self.arena.add(Formula::Not(object));
                vec![not_object, lacks, self.schema(wanted)]
            };
            parts.push(self.arena.any(alternatives));
        }
    }

    fn members(
        &mut self,
        schema: &'s Map<String, Value>,
        keyword: &str,
        value: &'s Value,
        parts: &mut Vec<Id>,
    ) {
        match (keyword, value) {
            ("properties", Value::Object(members)) => {
                for (name, member) in members {
                    if !self.budget.spend(text_units(name)) {
                        return;
                    }
                    let member = self.schema(member);
                    parts.push(self.arena.atom(Atom::Member(name.clone(), member)));
                }
            }
            ("patternProperties", Value::Object(members)) => {
                for (pattern, member) in members {
                    let member = self.schema(member);
                    parts.push(self.arena.atom(Atom::MatchingMembers(pattern.clone(), member)));
                }
            }
            ("additionalProperties", other) => {
                let other = self.schema(other);
                let names = keys(schema.get("properties"));
                let patterns = keys(schema.get("patternProperties"));
                parts.push(self.other_members(names, patterns, other));
            }
            ("propertyNames", names) => {
                let names = self.schema(names);
                parts.push(self.arena.atom(Atom::Names(names)));
            }
            ("required", Value::Array(names)) => {
                for name in names.iter().filter_map(Value::as_str) {
                    if !self.budget.spend(text_units(name)) {
                        return;
                    }
                    parts.push(self.arena.atom(Atom::Has(name.to_owned())));
                }
            }
            _ => {}
        }
    }

    fn other_members(&mut self, mut names: Vec<String>, mut patterns: Vec<String>, of: Id) -> Id {
        let units: usize = names.iter().chain(&patterns).map(|name| text_units(name)).sum();
        if !self.budget.spend(units) {
            return self.arena.never();
        }
        names.sort_unstable();
        names.dedup();
        patterns.sort_unstable();
        patterns.dedup();
        self.arena.atom(Atom::OtherMembers(names, patterns, of))
    }

    fn items(
        &mut self,
        schema: &'s Map<String, Value>,
        keyword: &str,
        value: &'s Value,
        parts: &mut Vec<Id>,
    ) {
        match keyword {
            "prefixItems" => {
                for (index, item) in (0..).zip(self.list(value)) {
                    parts.push(self.arena.atom(Atom::ItemAt(index, item)));
                }
            }
            "items" => {
                let start = schema.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
                let item = self.schema(value);
                parts.push(self.arena.atom(Atom::ItemsFrom(start as u64, item)));
            }
            _ => {
                let item = self.schema(value);
                let least = schema.get("minContains").map_or(1, count);
                let most = schema.get("maxContains").map(count);
                parts.push(self.arena.atom(Atom::Contains(item, least, most)));
            }
        }
    }

    /// The keywords that are one atom each.
    fn limit(&self, keyword: &str, value: &Value) -> Option<Atom> {
        let number = || match value {
            Value::Number(number) => rational::exactly(number),
            _ => None,
        };
        Some(match keyword {
            "minimum" => Atom::AtLeast(number()?),
            "maximum" => Atom::AtMost(number()?),
            "exclusiveMinimum" => Atom::Above(number()?),
            "exclusiveMaximum" => Atom::Below(number()?),
            "multipleOf" => Atom::MultipleOf(number()?),
            "minLength" => Atom::LengthAtLeast(count(value)),
            "maxLength" => Atom::LengthAtMost(count(value)),
            "pattern" => Atom::Matches(value.as_str()?.to_owned()),
            "format" if format::is_known(value.as_str()?) => {
                Atom::Format(value.as_str()?.to_owned())
            }
            "minItems" => Atom::ItemsAtLeast(count(value)),
            "maxItems" => Atom::ItemsAtMost(count(value)),
            "uniqueItems" if value == &Value::Bool(true) => Atom::Distinct,
            "minProperties" => Atom::MembersAtLeast(count(value)),
            "maxProperties" => Atom::MembersAtMost(count(value)),
            _ => return None,
        })
    }
}

/// A length or number of things. What no memory can hold is as good as the largest number.
fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or(u64::MAX)
}

fn keys(object: Option<&Value>) -> Vec<String> {
    object.and_then(Value::as_object).map(|map| map.keys().cloned().collect()).unwrap_or_default()
}

/// The formula that is true of `value` alone.
pub(crate) fn constant(arena: &mut Arena, value: &Value) -> Id {
    let kind = |kinds: &[ValueKind]| Atom::Kinds(Kinds::of(kinds));
    let atoms = match value {
        Value::Null => vec![kind(&[ValueKind::Null])],
        Value::Bool(boolean) => vec![kind(&[ValueKind::Boolean]), Atom::BooleanIs(*boolean)],
        Value::Number(number) => match rational::exactly(number) {
            Some(number) => {
                let kinds = kind(&[ValueKind::Integer, ValueKind::Fraction]);
                vec![kinds, Atom::NumberIs(number)]
            }
            None => vec![Atom::Opaque(value.to_string())],
        },
        Value::String(text) => vec![kind(&[ValueKind::String]), Atom::StringIs(text.clone())],
        Value::Array(items) => {
            let mut atoms = vec![
                kind(&[ValueKind::Array]),
                Atom::ItemsAtLeast(items.len() as u64),
                Atom::ItemsAtMost(items.len() as u64),
            ];
            for (index, item) in (0..).zip(items) {
                atoms.push(Atom::ItemAt(index, constant(arena, item)));
            }
            atoms
        }
        Value::Object(members) => {
            let mut atoms =
                vec![kind(&[ValueKind::Object]), Atom::MembersAtMost(members.len() as u64)];
            for (name, member) in members {
                atoms.push(Atom::Has(name.clone()));
                atoms.push(Atom::Member(name.clone(), constant(arena, member)));
            }
            atoms
        }
    };
    let parts = atoms.into_iter().map(|atom| arena.atom(atom)).collect();
    arena.all(parts)
}
