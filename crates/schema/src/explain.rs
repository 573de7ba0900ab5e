//! Finds the first reason why an input is refused, quickly.
//!
//! The validator decides; this only explains. It knows the keywords that authors use every day and
//! looks at an input that is already known to be refused. What it does not know it takes for
//! satisfied: if it finds no reason, the validator is asked for one, which takes ten times as long.

mod build;
mod judge;

use jsonschema::json::Node as _;
use regex_automata::meta::Regex;
use serde_json::Value;

use crate::{Violation, compare::Kinds, representation::Instance, violation::text};

/// A schema in [`Explainer::nodes`].
type NodeId = usize;

/// The rules of a schema, in the order in which their breaches are reported.
#[derive(Debug)]
pub(crate) struct Explainer {
    nodes: Vec<Vec<Rule>>,
}

/// What one keyword asks for.
#[derive(Debug)]
enum Rule {
    /// The schema `false`.
    Nothing,
    Types(Kinds, Vec<String>),
    Values(Values),
    Required(String),
    Member(String, NodeId),
    MatchingMembers(Regex, NodeId),
    OtherMembers(OtherMembers),
    MembersAtLeast(u64),
    MembersAtMost(u64),
    /// The number must stand so to the limit.
    Number(Comparison, f64),
    MultipleOf(i64),
    LengthAtLeast(u64),
    LengthAtMost(u64),
    Pattern(Regex, String),
    ItemAt(usize, NodeId),
    ItemsFrom(usize, NodeId),
    ItemsAtLeast(u64),
    ItemsAtMost(u64),
    /// The same value must also satisfy this schema.
    Also(NodeId),
    AnyOf(Vec<NodeId>),
    OneOf(Vec<NodeId>),
    Not(NodeId),
    If(NodeId, Option<NodeId>, Option<NodeId>),
    /// If there is such a member, the schema holds.
    Dependent(String, NodeId),
    /// A keyword that is not understood here.
    Unknown,
}

/// `enum` or `const`.
#[derive(Debug)]
struct Values {
    keyword: &'static str,
    strings: Vec<String>,
    others: Vec<Value>,
    shown: String,
}

/// `additionalProperties`.
#[derive(Debug)]
struct OtherMembers {
    names: Vec<String>,
    patterns: Vec<Regex>,
    schema: NodeId,
    /// True if there must be none.
    closed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    AtLeast,
    AtMost,
    Above,
    Below,
}

/// What is known about a rule and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Kept,
    Broken,
    /// It depends on something that is not understood here.
    Unknown,
}

/// A broken rule. The path is collected from the inside out.
struct Breach {
    path: Vec<Step>,
    keyword: &'static str,
    message: String,
}

enum Step {
    Name(String),
    Index(usize),
}

impl Explainer {
    /// The first reason why `input` is refused, if it is one that is understood here.
    pub(crate) fn explain(&self, input: Instance<'_>) -> Option<Violation> {
        let breach = self.first_breach(0, input)?;
        let mut path = String::new();
        for step in breach.path.iter().rev() {
            path.push('/');
            match step {
                Step::Name(name) => path.push_str(&name.replace('~', "~0").replace('/', "~1")),
                Step::Index(index) => path.push_str(&index.to_string()),
            }
        }
        Some(Violation { path, keyword: breach.keyword.to_owned(), message: breach.message })
    }

    fn first_breach(&self, schema: NodeId, value: Instance<'_>) -> Option<Breach> {
        self.nodes.get(schema)?.iter().find_map(|rule| {
            (self.judge_rule(rule, value) == Verdict::Broken)
                .then(|| self.breach(rule, value))
                .flatten()
        })
    }

    /// Says what is wrong with `value`, which breaks `rule`.
    fn breach(&self, rule: &Rule, value: Instance<'_>) -> Option<Breach> {
        let here = |keyword, message| Some(Breach { path: Vec::new(), keyword, message });
        match rule {
            Rule::Nothing => here("falseSchema", text::nothing_allowed()),
            Rule::Types(_, names) => here("type", text::types(names)),
            Rule::Values(values) => here(
                values.keyword,
                match values.keyword {
                    "const" => text::constant(&values.shown),
                    _ => text::options(&values.shown),
                },
            ),
            Rule::Required(name) => here("required", text::required(name)),
            Rule::Number(comparison, limit) => {
                let (keyword, message) = comparison.text(*limit);
                here(keyword, message)
            }
            Rule::MultipleOf(divisor) => here("multipleOf", text::multiple_of(divisor)),
            Rule::LengthAtLeast(least) => here("minLength", text::at_least(*least, "characters")),
            Rule::LengthAtMost(most) => here("maxLength", text::at_most(*most, "characters")),
            Rule::ItemsAtLeast(least) => here("minItems", text::at_least(*least, "items")),
            Rule::ItemsAtMost(most) => here("maxItems", text::at_most(*most, "items")),
            Rule::MembersAtLeast(least) => here("minProperties", text::at_least(*least, "fields")),
            Rule::MembersAtMost(most) => here("maxProperties", text::at_most(*most, "fields")),
            Rule::Pattern(_, pattern) => here("pattern", text::pattern(pattern)),
            Rule::AnyOf(_) => here("anyOf", text::no_alternative()),
            Rule::OneOf(schemas) => here("oneOf", self.why_not_one(schemas, value)),
            Rule::Not(_) => here("not", text::excluded()),
            Rule::Also(schema) | Rule::Dependent(_, schema) => self.first_breach(*schema, value),
            Rule::If(condition, then, otherwise) => {
                let holds = self.judge(*condition, value) == Verdict::Kept;
                self.first_breach(if holds { (*then)? } else { (*otherwise)? }, value)
            }
            Rule::OtherMembers(others) if others.closed => {
                here("additionalProperties", text::unknown_fields(&others.names_in(value)))
            }
            Rule::Member(..) | Rule::MatchingMembers(..) | Rule::OtherMembers(_) => {
                self.breach_in_member(rule, value)
            }
            Rule::ItemAt(..) | Rule::ItemsFrom(..) => self.breach_in_item(rule, value),
            Rule::Unknown => None,
        }
    }

    fn why_not_one(&self, schemas: &[NodeId], value: Instance<'_>) -> String {
        let kept =
            schemas.iter().filter(|schema| self.judge(**schema, value) == Verdict::Kept).count();
        if kept == 0 { text::no_alternative() } else { text::several_alternatives() }
    }

    fn breach_in_member(&self, rule: &Rule, value: Instance<'_>) -> Option<Breach> {
        use jsonschema::json::Object as _;
        value.as_object()?.members().find_map(|(name, member)| {
            let schema = rule.schema_for(name)?;
            if self.judge(schema, member) != Verdict::Broken {
                return None;
            }
            let mut breach = self.first_breach(schema, member)?;
            breach.path.push(Step::Name(name.to_owned()));
            Some(breach)
        })
    }

    fn breach_in_item(&self, rule: &Rule, value: Instance<'_>) -> Option<Breach> {
        use jsonschema::json::Array as _;
        let (first, only, schema) = match rule {
            Rule::ItemAt(index, schema) => (*index, true, *schema),
            Rule::ItemsFrom(first, schema) => (*first, false, *schema),
            _ => return None,
        };
        let items = value.as_array()?.elements().enumerate().skip(first);
        items.take(if only { 1 } else { usize::MAX }).find_map(|(index, item)| {
            let mut breach = self.first_breach(schema, item)?;
            breach.path.push(Step::Index(index));
            Some(breach)
        })
    }
}

impl Rule {
    /// The schema that this rule has for the member `name`.
    fn schema_for(&self, name: &str) -> Option<NodeId> {
        match self {
            Self::Member(known, schema) => (known == name).then_some(*schema),
            Self::MatchingMembers(pattern, schema) => pattern.is_match(name).then_some(*schema),
            Self::OtherMembers(others) => others.is_other(name).then_some(others.schema),
            _ => None,
        }
    }
}

impl OtherMembers {
    fn is_other(&self, name: &str) -> bool {
        !self.names.iter().any(|known| known == name)
            && !self.patterns.iter().any(|pattern| pattern.is_match(name))
    }

    fn names_in(&self, value: Instance<'_>) -> Vec<String> {
        use jsonschema::json::Object as _;
        let members = value.as_object().map(|object| object.members());
        let others = members.into_iter().flatten().filter(|(name, _)| self.is_other(name));
        others.map(|(name, _)| name.to_owned()).collect()
    }
}

impl Comparison {
    fn holds(self, number: f64, limit: f64) -> bool {
        match self {
            Self::AtLeast => number >= limit,
            Self::AtMost => number <= limit,
            Self::Above => number > limit,
            Self::Below => number < limit,
        }
    }

    fn text(self, limit: f64) -> (&'static str, String) {
        match self {
            Self::AtLeast => ("minimum", text::minimum(&limit)),
            Self::AtMost => ("maximum", text::maximum(&limit)),
            Self::Above => ("exclusiveMinimum", text::exclusive_minimum(&limit)),
            Self::Below => ("exclusiveMaximum", text::exclusive_maximum(&limit)),
        }
    }
}
