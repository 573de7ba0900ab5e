//! `unevaluatedProperties` and `unevaluatedItems`.
//!
//! Both are about what the *other* keywords of a schema, and of all schemas that look at the same
//! value, leave over; and that depends on which of the conditional ones hold. So the conditions are
//! written out: if the first holds, then … else …, and at the end of each path it is known what is
//! left over.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Atom, Formula, Id, Lowering, keys, text_units, value_units};

/// More conditions than this would give more than 2^6 paths.
const MAX_CONDITIONS: usize = 6;

/// What one schema looks at, if the conditions hold.
struct Coverage {
    conditions: Vec<(Id, bool)>,
    looks_at: LooksAt,
}

#[derive(Default)]
struct LooksAt {
    everything: bool,
    names: Vec<String>,
    patterns: Vec<String>,
    first_items: u64,
    /// `contains` looks at the items that it likes, wherever they are.
    scattered_items: bool,
}

impl LooksAt {
    /// What a copy costs.
    fn units(&self) -> usize {
        self.names.iter().chain(&self.patterns).map(|name| text_units(name)).sum()
    }

    fn add(&mut self, other: &Self) {
        self.everything |= other.everything;
        self.names.extend(other.names.iter().cloned());
        self.patterns.extend(other.patterns.iter().cloned());
        self.first_items = self.first_items.max(other.first_items);
        self.scattered_items |= other.scattered_items;
    }
}

/// Members or items.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Members,
    Items,
}

impl<'s> Lowering<'_, 's> {
    pub(super) fn unevaluated_members(&mut self, schema: &'s Map<String, Value>) -> Option<Id> {
        let rest = schema.get("unevaluatedProperties")?;
        Some(self.unevaluated(schema, rest, Of::Members))
    }

    pub(super) fn unevaluated_items(&mut self, schema: &'s Map<String, Value>) -> Option<Id> {
        let rest = schema.get("unevaluatedItems")?;
        Some(self.unevaluated(schema, rest, Of::Items))
    }

    fn unevaluated(&mut self, schema: &'s Map<String, Value>, rest: &'s Value, of: Of) -> Id {
        let formula = self.schema(rest);
        let mut coverages = Vec::new();
        let complete = self.coverage(schema, of, true, &[], &mut coverages, 0);
        let conditions: BTreeSet<Id> =
            coverages.iter().flat_map(|coverage| &coverage.conditions).map(|(id, _)| *id).collect();
        let conditions: Vec<Id> = conditions.into_iter().collect();
        if !complete || conditions.len() > MAX_CONDITIONS {
            let schema = Value::Object(schema.clone());
            if !self.budget.spend(value_units(&schema)) {
                return self.arena.never();
            }
            let text = schema.to_string();
            return self.arena.atom(Atom::Opaque(text));
        }
        self.decide(&conditions, &mut Vec::new(), &coverages, formula, of)
    }

    /// Asks the remaining conditions one by one; `known` are those that were asked.
    fn decide(
        &mut self,
        remaining: &[Id],
        known: &mut Vec<(Id, bool)>,
        coverages: &[Coverage],
        rest: Id,
        of: Of,
    ) -> Id {
        let Some((&condition, remaining)) = remaining.split_first() else {
            return self.leftover(known, coverages, rest, of);
        };
        let mut path = |holds, this: &mut Self| {
            known.push((condition, holds));
            let formula = this.decide(remaining, known, coverages, rest, of);
            known.pop();
            formula
        };
        let (then, otherwise) = (path(true, self), path(false, self));
        self.arena.add(Formula::If(condition, then, otherwise))
    }

    fn leftover(&mut self, known: &[(Id, bool)], coverages: &[Coverage], rest: Id, of: Of) -> Id {
        let mut looks_at = LooksAt::default();
        for coverage in coverages {
            if !self.budget.spend(1 + coverage.conditions.len() + coverage.looks_at.units()) {
                return self.arena.never();
            }
            if coverage.conditions.iter().all(|condition| known.contains(condition)) {
                looks_at.add(&coverage.looks_at);
            }
        }
        if looks_at.everything {
            return self.arena.always();
        }
        match of {
            Of::Members => self.other_members(looks_at.names, looks_at.patterns, rest),
            Of::Items => self.arena.atom(Atom::ItemsFrom(looks_at.first_items, rest)),
        }
    }

    /// Collects what `schema` and the schemas beside it look at. False if that cannot be said.
    fn coverage(
        &mut self,
        schema: &'s Map<String, Value>,
        of: Of,
        outermost: bool,
        conditions: &[(Id, bool)],
        found: &mut Vec<Coverage>,
        depth: usize,
    ) -> bool {
        let looks_at = own(schema, of, outermost);
        let affordable = self.budget.spend(1 + conditions.len() + looks_at.units());
        if depth > 16 || looks_at.scattered_items || !affordable {
            return false;
        }
        found.push(Coverage { conditions: conditions.to_vec(), looks_at });
        schema.iter().all(|(keyword, value)| {
            let beside = self.beside(schema, keyword, value, of);
            beside.into_iter().all(|(condition, schema)| {
                let mut conditions = conditions.to_vec();
                conditions.extend(condition);
                match schema {
                    Value::Object(schema) => {
                        self.coverage(schema, of, false, &conditions, found, depth + 1)
                    }
                    _ => true,
                }
            })
        })
    }

    /// The schemas in `keyword` that look at the same value, each with the condition under which it
    /// counts.
    fn beside(
        &mut self,
        schema: &'s Map<String, Value>,
        keyword: &str,
        value: &'s Value,
        of: Of,
    ) -> Vec<(Option<(Id, bool)>, &'s Value)> {
        let list = value.as_array().into_iter().flatten();
        match keyword {
            "$ref" | "$dynamicRef" => {
                let target = value.as_str().and_then(|text| self.references.resolve(text));
                target.into_iter().map(|(_, schema)| (None, schema)).collect()
            }
            "allOf" => list.map(|schema| (None, schema)).collect(),
            "anyOf" | "oneOf" => {
                list.map(|schema| (Some((self.schema(schema), true)), schema)).collect()
            }
            "if" => {
                let condition = self.schema(value);
                let branch = |keyword, holds| {
                    schema.get(keyword).map(|schema| (Some((condition, holds)), schema))
                };
                let branches = [branch("if", true), branch("then", true), branch("else", false)];
                branches.into_iter().flatten().collect()
            }
            // Only an object has members to depend on. The older `dependencies` does not count: the
            // keywords about what is left over are younger than its end.
            "dependentSchemas" if of == Of::Members => value
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, schema)| {
                    (Some((self.arena.atom(Atom::Has(name.clone())), true)), schema)
                })
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// What the keywords of `schema` itself look at.
fn own(schema: &Map<String, Value>, of: Of, outermost: bool) -> LooksAt {
    let has = |keyword| schema.contains_key(keyword);
    match of {
        Of::Members => LooksAt {
            everything: has("additionalProperties") || (!outermost && has("unevaluatedProperties")),
            names: keys(schema.get("properties")),
            patterns: keys(schema.get("patternProperties")),
            ..LooksAt::default()
        },
        Of::Items => LooksAt {
            everything: has("items") || (!outermost && has("unevaluatedItems")),
            first_items: schema
                .get("prefixItems")
                .and_then(Value::as_array)
                .map_or(0, |list| list.len() as u64),
            scattered_items: has("contains"),
            ..LooksAt::default()
        },
    }
}
