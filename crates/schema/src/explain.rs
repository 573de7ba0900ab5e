//! Finds the first reason why an input is refused, quickly.
//!
//! The validator decides; this only explains. It knows the keywords that authors use every day and
//! looks at an input that is already known to be refused. What it does not know it takes for
//! satisfied: if it finds no reason, the validator is asked for one, which takes ten times as long.

mod build;
mod judge;
mod members;

use jsonschema::{
    Validator,
    json::{Array as _, Node as _, Object as _},
};
use regex_automata::meta::Regex;
use serde_json::Value;

use self::members::Members;
use crate::{Violation, compare::Kinds, representation::Instance, violation::text};

/// A schema in [`Explainer::nodes`].
type NodeId = usize;

/// The rules of a schema, in the order in which their breaches are reported.
#[derive(Debug)]
pub(crate) struct Explainer {
    nodes: Vec<Vec<Described>>,
}

/// A rule and what is said when it is broken, written down once.
#[derive(Debug)]
struct Described {
    rule: Rule,
    keyword: &'static str,
    message: String,
}

/// What one keyword asks for.
#[derive(Debug)]
enum Rule {
    /// The schema `false`.
    Nothing,
    Types(Kinds, Vec<String>),
    Values(Values),
    Members(Members),
    Required(String),
    /// There must be no other members.
    Closed(Vec<String>, Vec<Regex>),
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
    /// The schema holds for all names.
    Names(NodeId),
    Distinct,
    Format(String, Validator),
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

/// A broken rule and the way to the value that breaks it, from the inside out.
///
/// Nothing is written down before the outermost value is reached: then it takes one allocation for
/// the path and one for the message.
struct Breach<'a> {
    rule: &'a Described,
    value: Instance<'a>,
    path: Vec<Step<'a>>,
    /// For alternatives of which exactly one must fit: more than one does.
    fits_several: bool,
}

enum Step<'a> {
    Name(&'a str),
    Index(usize),
}

impl Explainer {
    /// The first reason why `input` is refused, if it is one that is understood here.
    pub(crate) fn explain(&self, input: Instance<'_>) -> Option<Violation> {
        let breach = self.first_breach(0, input)?;
        let message = match &breach.rule.rule {
            Rule::Closed(names, patterns) => {
                text::unknown_fields(&members::others(breach.value, names, patterns))
            }
            Rule::OneOf(_) if breach.fits_several => text::several_alternatives(),
            _ => breach.rule.message.clone(),
        };
        Some(Violation { path: breach.pointer(), keyword: breach.rule.keyword.into(), message })
    }

    fn first_breach<'a>(&'a self, schema: NodeId, value: Instance<'a>) -> Option<Breach<'a>> {
        self.nodes.get(schema)?.iter().find_map(|rule| self.breach(rule, value))
    }

    /// The place where `rule` is broken, if it surely is.
    fn breach<'a>(&'a self, described: &'a Described, value: Instance<'a>) -> Option<Breach<'a>> {
        let rule = &described.rule;
        match rule {
            Rule::Also(schema) => self.first_breach(*schema, value),
            Rule::Dependent(name, schema) => {
                value.as_object()?.get(name)?;
                self.first_breach(*schema, value)
            }
            Rule::If(condition, then, otherwise) => {
                let branch = match self.judge(*condition, value) {
                    Verdict::Kept => then,
                    Verdict::Broken => otherwise,
                    Verdict::Unknown => &None,
                };
                self.first_breach((*branch)?, value)
            }
            Rule::Members(members) => self.breach_in_members(members, value),
            Rule::OneOf(schemas) => match self.judge_one(schemas, value) {
                (Verdict::Broken, kept) => {
                    Some(Breach { fits_several: kept > 1, ..Breach::at(described, value) })
                }
                _ => None,
            },
            Rule::ItemAt(index, schema) => {
                let item = value.as_array()?.elements().nth(*index)?;
                self.first_breach(*schema, item)?.inside(Step::Index(*index))
            }
            Rule::ItemsFrom(first, schema) => {
                let items = value.as_array()?.elements().enumerate().skip(*first);
                items.into_iter().find_map(|(index, item)| {
                    self.first_breach(*schema, item)?.inside(Step::Index(index))
                })
            }
            _ => (self.judge_rule(rule, value) == Verdict::Broken)
                .then(|| Breach::at(described, value)),
        }
    }
}

impl<'a> Breach<'a> {
    fn at(rule: &'a Described, value: Instance<'a>) -> Self {
        Self { rule, value, path: Vec::new(), fits_several: false }
    }

    #[expect(clippy::unnecessary_wraps, reason = "it ends a chain of questions")]
    fn inside(mut self, step: Step<'a>) -> Option<Self> {
        self.path.push(step);
        Some(self)
    }

    fn pointer(&self) -> String {
        let mut pointer = String::with_capacity(16 * self.path.len());
        for step in self.path.iter().rev() {
            pointer.push('/');
            match step {
                Step::Index(index) => pointer.push_str(&index.to_string()),
                Step::Name(name) if name.contains(['~', '/']) => {
                    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                }
                Step::Name(name) => pointer.push_str(name),
            }
        }
        pointer
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
}
