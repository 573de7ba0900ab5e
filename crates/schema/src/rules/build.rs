//! From a schema to its rules.

use std::collections::BTreeMap;

use assent_json::Pointer;
use serde_json::{Map, Value};

use super::{
    Alternatives, Described, Matcher, Message, Reason, Rule, Rules, Schema, SchemaId,
    keywords::whole,
    limits::ObjectLimit,
    matcher::TableBudget,
    members::{Known, Members, Others},
    words::Words,
};
use crate::{compare::Kinds, references::References, violation::text};

impl Rules {
    /// The rules of a schema that was inspected, if all of it is understood.
    pub(crate) fn of(schema: &Value) -> Option<Self> {
        let mut build = Build {
            references: References::of(schema),
            schemas: Vec::new(),
            known: BTreeMap::new(),
            waiting: Vec::new(),
            tables: TableBudget::default(),
        };
        build.schema(&Pointer::root(), schema);
        // One after another, not inside each other: chains of references may be long.
        while let Some((id, pointer, schema)) = build.waiting.pop() {
            let rules = build.rules_of(&pointer, schema)?;
            *build.schemas.get_mut(id)? = rules;
        }
        Some(Self { schemas: build.schemas })
    }
}

struct Build<'s> {
    references: References<'s>,
    schemas: Vec<Schema>,
    known: BTreeMap<Pointer, SchemaId>,
    /// Schemas whose rules are still to be made.
    waiting: Vec<(SchemaId, Pointer, &'s Value)>,
    tables: TableBudget,
}

impl<'s> Build<'s> {
    /// The number of the schema at `pointer`.
    fn schema(&mut self, pointer: &Pointer, schema: &'s Value) -> SchemaId {
        if let Some(id) = self.known.get(pointer) {
            return *id;
        }
        let id = self.schemas.len();
        self.schemas.push(Schema::default());
        self.known.insert(pointer.clone(), id);
        self.waiting.push((id, pointer.clone(), schema));
        id
    }

    fn rules_of(&mut self, pointer: &Pointer, schema: &'s Value) -> Option<Schema> {
        let mut rules = Schema::default();
        match schema {
            Value::Bool(false) => {
                let nothing = Kinds::default();
                let reason = Described::new("falseSchema", text::nothing_allowed(), nothing);
                rules.kinds = Some(reason);
            }
            Value::Object(keywords) => {
                self.members(pointer, keywords, &mut rules)?;
                for (keyword, value) in keywords {
                    let here = Here { pointer, keywords, keyword };
                    self.keyword(here, value, &mut rules)?;
                }
            }
            _ => {}
        }
        rules.rules.sort_by_key(|described| described.rule.rank());
        rules.is_flat = rules.members.is_none() && rules.rules.is_empty();
        rules.has_unevaluated = rules.rules.iter().any(|described| described.rule.rank() == LAST);
        Some(rules)
    }

    /// Nothing if the keyword is not understood.
    fn keyword(&mut self, here: Here<'_, 's>, value: &'s Value, schema: &mut Schema) -> Option<()> {
        let pointer = &here.pointer.key(here.keyword);
        let rules = &mut schema.rules;
        match here.keyword {
            // `members` has looked at the first four, `if` looks at the next two.
            "properties" | "patternProperties" | "additionalProperties" | "required" => {}
            "then" | "else" | "$defs" | "definitions" => {}
            "prefixItems" => {
                let items = self.list(pointer, value).into_iter().enumerate();
                rules.extend(items.map(|(index, item)| silent(Rule::ItemAt(index, item))));
            }
            "items" => {
                let first = here.keywords.get("prefixItems").and_then(Value::as_array);
                let schema = self.schema(pointer, value);
                rules.push(silent(Rule::ItemsFrom(first.map_or(0, Vec::len), schema)));
            }
            "allOf" => {
                let all = self.list(pointer, value);
                rules.extend(all.into_iter().map(|schema| silent(Rule::Also(schema))));
            }
            "if" => rules.push(silent(self.condition(here, value))),
            "dependentSchemas" => {
                for (name, schema) in value.as_object()? {
                    let schema = self.schema(&pointer.key(name), schema);
                    rules.push(silent(Rule::Dependent(name.clone(), schema)));
                }
            }
            "dependentRequired" => {
                for (name, names) in value.as_object()? {
                    let schema = self.required(names)?;
                    rules.push(silent(Rule::Dependent(name.clone(), schema)));
                }
            }
            "$ref" | "$dynamicRef" => {
                let (pointer, schema) = self.references.resolve_surely(value.as_str()?)?;
                rules.push(silent(Rule::Also(self.schema(&pointer, schema))));
            }
            _ => match self.alternatives(here, value) {
                Some(rule) => rules.push(rule?),
                None => schema.add_limit(here.keyword, value, &mut self.tables)?,
            },
        }
        Some(())
    }

    /// The keywords whose violation is reported for the value itself, not for what is wrong inside. Nothing
    /// if it is another keyword, nothing inside if it is not understood.
    fn alternatives(
        &mut self,
        here: Here<'_, 's>,
        value: &'s Value,
    ) -> Option<Option<Described<Rule>>> {
        let pointer = &here.pointer.key(here.keyword);
        Some(Some(match here.keyword {
            "anyOf" => Described::new(
                "anyOf",
                text::no_alternative(),
                Rule::AnyOf(self.list_of_alternatives(pointer, value)),
            ),
            "oneOf" => {
                let several = Reason::fixed("oneOf", text::several_alternatives());
                let alternatives = self.list_of_alternatives(pointer, value);
                let rule = Rule::OneOf(alternatives, Box::new(several));
                Described::new("oneOf", text::no_alternative(), rule)
            }
            "not" => {
                Described::new("not", text::excluded(), Rule::Not(self.schema(pointer, value)))
            }
            "propertyNames" => {
                let rule = Rule::Names(self.schema(pointer, value));
                Described::new("propertyNames", text::bad_name(), rule)
            }
            "contains" => return Some(self.contains(here, value)),
            "unevaluatedItems" => {
                let rule = Rule::UnevaluatedItems(self.schema(pointer, value));
                Described::new("unevaluatedItems", text::too_many_items(), rule)
            }
            "unevaluatedProperties" => {
                let schema = self.schema(pointer, value);
                Described {
                    rule: Rule::UnevaluatedMembers(schema),
                    reason: Reason {
                        keyword: "unevaluatedProperties",
                        message: Message::Unevaluated(schema),
                    },
                }
            }
            _ => return None,
        }))
    }

    fn contains(&mut self, here: Here<'_, 's>, value: &'s Value) -> Option<Described<Rule>> {
        let count =
            |keyword: &str, default| here.keywords.get(keyword).map_or(Some(default), whole);
        let (least, most) = (count("minContains", 1)?, count("maxContains", u64::MAX)?);
        let schema = self.schema(&here.pointer.key("contains"), value);
        Some(Described::new("contains", text::contains(), Rule::Contains { schema, least, most }))
    }

    fn condition(&mut self, here: Here<'_, 's>, value: &'s Value) -> Rule {
        let mut branch = |keyword: &str| {
            let schema = here.keywords.get(keyword)?;
            Some(self.schema(&here.pointer.key(keyword), schema))
        };
        let (then, otherwise) = (branch("then"), branch("else"));
        Rule::If(self.schema(&here.pointer.key("if"), value), then, otherwise)
    }

    fn list(&mut self, here: &Pointer, value: &'s Value) -> Vec<SchemaId> {
        let list = value.as_array().into_iter().flatten().enumerate();
        list.map(|(index, schema)| self.schema(&here.index(index), schema)).collect()
    }

    fn list_of_alternatives(&mut self, here: &Pointer, value: &'s Value) -> Alternatives {
        let schemas = value.as_array().into_iter().flatten();
        Alternatives::new(self.list(here, value).into_iter().zip(schemas.map(telling_name)))
    }

    /// A schema that asks only for names.
    fn required(&mut self, names: &Value) -> Option<SchemaId> {
        let mut mentioned = Mentioned::default();
        let mut schema = Schema::default();
        mentioned.require(names, &mut schema)?;
        schema.members = Some(Box::new(mentioned.into_members()));
        let id = self.schemas.len();
        self.schemas.push(schema);
        Some(id)
    }

    /// The four keywords about members, as one rule.
    fn members(
        &mut self,
        pointer: &Pointer,
        schema: &'s Map<String, Value>,
        rules: &mut Schema,
    ) -> Option<()> {
        let map = |keyword: &str| schema.get(keyword).and_then(Value::as_object);
        let keywords = ["properties", "patternProperties", "additionalProperties", "required"];
        if !keywords.iter().any(|keyword| schema.contains_key(*keyword)) {
            return Some(());
        }
        let mut mentioned = Mentioned::default();
        for (name, schema) in map("properties").into_iter().flatten() {
            let schema = self.schema(&pointer.key("properties").key(name), schema);
            mentioned.known(name).schema = Some(schema);
        }
        if let Some(names) = schema.get("required") {
            mentioned.require(names, rules)?;
        }
        let mut members = mentioned.into_members();
        for (pattern, schema) in map("patternProperties").into_iter().flatten() {
            let schema = self.schema(&pointer.key("patternProperties").key(pattern), schema);
            members.patterns.push((Matcher::new(pattern, &mut self.tables)?, schema));
        }
        if let Some(others) = schema.get("additionalProperties") {
            members.others = if others == &Value::Bool(false) {
                let names = map("properties").into_iter().flat_map(Map::keys).cloned().collect();
                let patterns = members.patterns.iter().map(|(pattern, _)| pattern.clone());
                let message = Message::OtherNames(Box::new((names, patterns.collect())));
                Others::Closed(Reason { keyword: "additionalProperties", message })
            } else {
                Others::Schema(self.schema(&pointer.key("additionalProperties"), others))
            };
        }
        rules.members = Some(Box::new(members));
        Some(())
    }
}

/// A keyword, and where it stands.
#[derive(Clone, Copy)]
struct Here<'b, 's> {
    pointer: &'b Pointer,
    keywords: &'s Map<String, Value>,
    keyword: &'s str,
}

/// The names that a schema mentions, while they are collected.
#[derive(Default)]
struct Mentioned<'s> {
    known: BTreeMap<&'s str, Known>,
    missing: Vec<Reason>,
    required: u64,
}

impl<'s> Mentioned<'s> {
    fn known(&mut self, name: &'s str) -> &mut Known {
        self.known.entry(name).or_insert_with(|| Known {
            pointer: Pointer::root().key(name).to_string(),
            ..Known::default()
        })
    }

    /// Notes what must be there, as bits while there are any left, then as rules of their own.
    fn require(&mut self, names: &'s Value, schema: &mut Schema) -> Option<()> {
        for name in names.as_array()? {
            let name = name.as_str()?;
            let bit = u32::try_from(self.missing.len()).ok().and_then(|n| 1_u64.checked_shl(n));
            match bit {
                Some(bit) => {
                    self.known(name).required |= bit;
                    self.required |= bit;
                    self.missing.push(Reason::fixed("required", text::required(name)));
                }
                None => {
                    let limit = ObjectLimit::Has(name.to_owned());
                    let limit = Described::new("required", text::required(name), limit);
                    schema.limits.objects.push(limit);
                }
            }
        }
        Some(())
    }

    fn into_members(self) -> Members {
        Members {
            names: Words::new(self.known.into_iter().map(|(name, known)| (name.to_owned(), known))),
            missing: self.missing,
            required: self.required,
            ..Members::default()
        }
    }
}

/// The last name that a schema asks for. Among alternatives the first ones tend to be the same.
fn telling_name(schema: &Value) -> Option<&str> {
    schema.get("required")?.as_array()?.last()?.as_str()
}

/// A rule whose violation is reported by the rules inside it.
fn silent(rule: Rule) -> Described<Rule> {
    Described::new("", String::new(), rule)
}

/// What nothing has looked at is known in the end.
const LAST: u8 = 2;

impl Rule {
    /// What people should hear first: what is wrong with a part of a value, then that it fits no
    /// alternative.
    fn rank(&self) -> u8 {
        match self {
            Self::ItemAt(..) | Self::ItemsFrom(..) | Self::Contains { .. } | Self::Names(_) => 0,
            Self::UnevaluatedMembers(_) | Self::UnevaluatedItems(_) => LAST,
            _ => 1,
        }
    }
}
