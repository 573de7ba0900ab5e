//! From a schema to its rules.

use std::collections::BTreeMap;

use assent_json::Pointer;
use jsonschema::json::SerdeJson;
use regex_automata::meta::Regex;
use serde_json::{Map, Value};

use super::{
    Comparison, Described, Explainer, NodeId, Rule, Values,
    members::{Known, Members, Others},
};
use crate::{
    compare::Kinds,
    input_schema::options,
    keywords::is_annotation,
    pattern::translate,
    references::References,
    violation::text::{self, shortened},
};

/// Integers beyond this are not all doubles.
const MAX_EXACT: i64 = 1 << 53;

impl Explainer {
    /// The rules of a schema that was inspected.
    pub(crate) fn of(schema: &Value) -> Self {
        let mut build = Build {
            references: References::of(schema),
            nodes: Vec::new(),
            known: BTreeMap::new(),
            waiting: Vec::new(),
        };
        build.node(&Pointer::root(), schema);
        // One after another, not inside each other: chains of references may be long.
        while let Some((id, pointer, schema)) = build.waiting.pop() {
            let rules = build.rules(&pointer, schema);
            if let Some(node) = build.nodes.get_mut(id) {
                *node = rules;
            }
        }
        Self { nodes: build.nodes }
    }
}

struct Build<'s> {
    references: References<'s>,
    nodes: Vec<Vec<Described>>,
    known: BTreeMap<Pointer, NodeId>,
    /// Schemas whose rules are still to be made.
    waiting: Vec<(NodeId, Pointer, &'s Value)>,
}

impl<'s> Build<'s> {
    /// The node for the schema at `pointer`.
    fn node(&mut self, pointer: &Pointer, schema: &'s Value) -> NodeId {
        if let Some(id) = self.known.get(pointer) {
            return *id;
        }
        let id = self.nodes.len();
        self.nodes.push(Vec::new());
        self.known.insert(pointer.clone(), id);
        self.waiting.push((id, pointer.clone(), schema));
        id
    }

    fn rules(&mut self, pointer: &Pointer, schema: &'s Value) -> Vec<Described> {
        let mut rules = Vec::new();
        match schema {
            Value::Bool(false) => rules.push(Rule::Nothing),
            Value::Object(keywords) => {
                rules.extend(self.members(pointer, keywords));
                for (keyword, value) in keywords {
                    self.keyword(pointer, keywords, keyword, value, &mut rules);
                }
            }
            _ => {}
        }
        rules.sort_by_key(Rule::rank);
        rules.into_iter().map(Rule::described).collect()
    }

    fn keyword(
        &mut self,
        pointer: &Pointer,
        schema: &'s Map<String, Value>,
        keyword: &str,
        value: &'s Value,
        rules: &mut Vec<Rule>,
    ) {
        let here = pointer.key(keyword);
        match keyword {
            "properties" | "patternProperties" | "additionalProperties" | "required" => {}
            "propertyNames" => rules.push(Rule::Names(self.node(&here, value))),
            "prefixItems" => {
                let items = self.list(&here, value).into_iter().enumerate();
                rules.extend(items.map(|(index, item)| Rule::ItemAt(index, item)));
            }
            "items" => {
                let first = schema.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
                rules.push(Rule::ItemsFrom(first, self.node(&here, value)));
            }
            "allOf" => rules.extend(self.list(&here, value).into_iter().map(Rule::Also)),
            "anyOf" => rules.push(Rule::AnyOf(self.list(&here, value))),
            "oneOf" => rules.push(Rule::OneOf(self.list(&here, value))),
            "not" => rules.push(Rule::Not(self.node(&here, value))),
            "if" => {
                let mut branch = |keyword: &str| {
                    let schema = schema.get(keyword)?;
                    Some(self.node(&pointer.key(keyword), schema))
                };
                let (then, otherwise) = (branch("then"), branch("else"));
                rules.push(Rule::If(self.node(&here, value), then, otherwise));
            }
            "then" | "else" | "$defs" | "definitions" => {}
            "dependentSchemas" => rules.extend(self.map(&here, value, Rule::Dependent)),
            "$ref" | "$dynamicRef" => {
                let target = value.as_str().and_then(|text| self.references.resolve(text));
                rules.extend(
                    target.map(|(pointer, schema)| Rule::Also(self.node(&pointer, schema))),
                );
            }
            _ => rules.extend(limit(keyword, value)),
        }
    }

    fn list(&mut self, here: &Pointer, value: &'s Value) -> Vec<NodeId> {
        let list = value.as_array().into_iter().flatten().enumerate();
        list.map(|(index, schema)| self.node(&here.index(index), schema)).collect()
    }

    fn map(
        &mut self,
        here: &Pointer,
        value: &'s Value,
        rule: fn(String, NodeId) -> Rule,
    ) -> Vec<Rule> {
        let map = value.as_object().into_iter().flatten();
        map.map(|(name, schema)| rule(name.clone(), self.node(&here.key(name), schema))).collect()
    }

    /// The four keywords about members, as one rule.
    fn members(&mut self, pointer: &Pointer, schema: &'s Map<String, Value>) -> Option<Rule> {
        let map = |keyword: &str| schema.get(keyword).and_then(Value::as_object);
        let keywords = ["properties", "patternProperties", "additionalProperties", "required"];
        if !keywords.iter().any(|keyword| schema.contains_key(*keyword)) {
            return None;
        }
        let mut members = Members::default();
        for (name, schema) in map("properties").into_iter().flatten() {
            let node = self.node(&pointer.key("properties").key(name), schema);
            members.mention(name, Some(node), 0);
        }
        for (pattern, schema) in map("patternProperties").into_iter().flatten() {
            let node = self.node(&pointer.key("patternProperties").key(pattern), schema);
            // Without the pattern nothing can be said about any member.
            let Some(regex) = regex(pattern) else { return Some(Rule::Unknown) };
            members.patterns.push((regex, node));
        }
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        for name in required.filter_map(Value::as_str) {
            // More names than there are bits: the validator has to look at the rest.
            let Some(bit) =
                u32::try_from(members.required.len()).ok().and_then(|n| 1_u64.checked_shl(n))
            else {
                return Some(Rule::Unknown);
            };
            members.mention(name, None, bit);
            members.all_required |= bit;
            members.required.push(Rule::Required(name.to_owned()).described());
        }
        if let Some(others) = schema.get("additionalProperties") {
            members.others = if others == &Value::Bool(false) {
                let names = map("properties").into_iter().flat_map(Map::keys).cloned().collect();
                let patterns = members.patterns.iter().map(|(regex, _)| regex.clone()).collect();
                Others::Closed(Box::new(Rule::Closed(names, patterns).described()))
            } else {
                Others::Schema(self.node(&pointer.key("additionalProperties"), others))
            };
        }
        members.known.sort_by(|a, b| (a.name.len(), &a.name).cmp(&(b.name.len(), &b.name)));
        Some(Rule::Members(members))
    }
}

impl Members {
    /// Notes what a keyword says about a name.
    fn mention(&mut self, name: &str, schema: Option<NodeId>, required: u64) {
        match self.known.iter_mut().find(|known| known.name == name) {
            Some(known) => {
                known.schema = known.schema.or(schema);
                known.required |= required;
            }
            None => self.known.push(Known { name: name.to_owned(), schema, required }),
        }
    }
}

/// The keywords that hold no schemas.
fn limit(keyword: &str, value: &Value) -> Option<Rule> {
    let rule = match keyword {
        "type" => types(value),
        "enum" => {
            let options = value.as_array().map_or(&[][..], Vec::as_slice);
            Some(values("enum", options, value))
        }
        "const" => Some(values("const", std::slice::from_ref(value), value)),
        "minimum" => number(Comparison::AtLeast, value),
        "maximum" => number(Comparison::AtMost, value),
        "exclusiveMinimum" => number(Comparison::Above, value),
        "exclusiveMaximum" => number(Comparison::Below, value),
        "multipleOf" => value.as_i64().filter(|n| *n <= MAX_EXACT).map(Rule::MultipleOf),
        "minLength" => value.as_u64().map(Rule::LengthAtLeast),
        "maxLength" => value.as_u64().map(Rule::LengthAtMost),
        "minItems" => value.as_u64().map(Rule::ItemsAtLeast),
        "maxItems" => value.as_u64().map(Rule::ItemsAtMost),
        "minProperties" => value.as_u64().map(Rule::MembersAtLeast),
        "maxProperties" => value.as_u64().map(Rule::MembersAtMost),
        "pattern" => value
            .as_str()
            .and_then(|pattern| Some(Rule::Pattern(regex(pattern)?, pattern.to_owned()))),
        "uniqueItems" if value == &Value::Bool(true) => Some(Rule::Distinct),
        "format" => format(value.as_str()?),
        annotation if is_annotation(annotation) => return None,
        _ => None,
    };
    Some(rule.unwrap_or(Rule::Unknown))
}

/// Only the validator knows what belongs to a format.
fn format(name: &str) -> Option<Rule> {
    let schema = serde_json::json!({ "format": name });
    let validator = options::<SerdeJson>().build(&schema).ok()?;
    Some(Rule::Format(name.to_owned(), validator))
}

fn types(value: &Value) -> Option<Rule> {
    let names: Vec<String> = match value {
        Value::String(name) => vec![name.clone()],
        Value::Array(names) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => return None,
    };
    let kinds = names.iter().fold(Kinds::default(), |kinds, name| kinds.union(Kinds::named(name)));
    Some(Rule::Types(kinds, names))
}

fn values(keyword: &'static str, options: &[Value], shown: &Value) -> Rule {
    let (strings, others): (Vec<&Value>, Vec<&Value>) =
        options.iter().partition(|option| option.is_string());
    Rule::Values(Values {
        keyword,
        strings: strings.iter().filter_map(|text| text.as_str()).map(str::to_owned).collect(),
        others: others.into_iter().cloned().collect(),
        shown: shortened(shown),
    })
}

fn number(comparison: Comparison, limit: &Value) -> Option<Rule> {
    // A limit that is no double is compared by the validator, digit by digit.
    let exact = limit.as_i64().is_none_or(|n| n.unsigned_abs() <= MAX_EXACT.unsigned_abs())
        && limit.as_u64().is_none_or(|n| n <= MAX_EXACT.unsigned_abs());
    limit.as_f64().filter(|_| exact).map(|limit| Rule::Number(comparison, limit))
}

fn regex(pattern: &str) -> Option<Regex> {
    Regex::new(&translate(pattern).ok()?).ok()
}

impl Rule {
    /// What people should hear first: that something is of the wrong kind, is missing or is not
    /// known, then what is wrong with a field.
    fn rank(&self) -> u8 {
        match self {
            Self::Nothing | Self::Types(..) => 0,
            Self::Members(_) => 1,
            Self::Values(_) => 3,
            Self::Also(_)
            | Self::AnyOf(_)
            | Self::OneOf(_)
            | Self::Not(_)
            | Self::If(..)
            | Self::Dependent(..) => 5,
            _ => 4,
        }
    }
}

impl Rule {
    /// The rule with its keyword and what is said when it is broken.
    fn described(self) -> Described {
        let (keyword, message) = match &self {
            Self::Nothing => ("falseSchema", text::nothing_allowed()),
            Self::Types(_, names) => ("type", text::types(names)),
            Self::Values(values) if values.keyword == "const" => {
                ("const", text::constant(&values.shown))
            }
            Self::Values(values) => ("enum", text::options(&values.shown)),
            Self::Required(name) => ("required", text::required(name)),
            Self::Number(Comparison::AtLeast, limit) => ("minimum", text::minimum(limit)),
            Self::Number(Comparison::AtMost, limit) => ("maximum", text::maximum(limit)),
            Self::Number(Comparison::Above, limit) => {
                ("exclusiveMinimum", text::exclusive_minimum(limit))
            }
            Self::Number(Comparison::Below, limit) => {
                ("exclusiveMaximum", text::exclusive_maximum(limit))
            }
            Self::MultipleOf(divisor) => ("multipleOf", text::multiple_of(divisor)),
            Self::LengthAtLeast(least) => ("minLength", text::at_least(*least, "characters")),
            Self::LengthAtMost(most) => ("maxLength", text::at_most(*most, "characters")),
            Self::ItemsAtLeast(least) => ("minItems", text::at_least(*least, "items")),
            Self::ItemsAtMost(most) => ("maxItems", text::at_most(*most, "items")),
            Self::MembersAtLeast(least) => ("minProperties", text::at_least(*least, "fields")),
            Self::MembersAtMost(most) => ("maxProperties", text::at_most(*most, "fields")),
            Self::Pattern(_, pattern) => ("pattern", text::pattern(pattern)),
            Self::Format(format, _) => ("format", text::format(format)),
            Self::Distinct => ("uniqueItems", text::repeated()),
            Self::Names(_) => ("propertyNames", text::bad_name()),
            Self::AnyOf(_) => ("anyOf", text::no_alternative()),
            Self::OneOf(_) => ("oneOf", text::no_alternative()),
            Self::Not(_) => ("not", text::excluded()),
            // Told with the names that are not known.
            Self::Closed(..) => ("additionalProperties", String::new()),
            // A breach of these is found in what they hold, or not at all.
            Self::Also(_)
            | Self::Dependent(..)
            | Self::If(..)
            | Self::Members(_)
            | Self::ItemAt(..)
            | Self::ItemsFrom(..)
            | Self::Unknown => ("", String::new()),
        };
        Described { keyword, message, rule: self }
    }
}
