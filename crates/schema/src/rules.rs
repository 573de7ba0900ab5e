//! A schema as rules that a value keeps or breaks, and the first one that it breaks.
//!
//! [`Rules`] exist only for schemas that are understood to the last keyword. For those, one walk over
//! the value is the verdict and the reason at once; all others, and walks that would take too long,
//! are the validator's. What only the validator knows exactly (formats, awkward numbers) is asked of
//! it keyword by keyword.

mod alternatives;
mod build;
mod keywords;
mod limits;
mod marks;
mod matcher;
mod members;
mod place;
mod plain;
mod unevaluated;
mod value;
mod walk;
mod words;

use std::borrow::Cow;

use assent_json::Node;
use serde_json::Value;

use self::{
    alternatives::Alternatives, limits::Limits, matcher::Matcher, members::Members, walk::Walk,
    words::Words,
};
use crate::{Violation, compare::Kinds, violation::text};

/// A schema in [`Rules::schemas`].
type SchemaId = usize;

/// The rules of a schema and of all schemas inside it.
#[derive(Debug)]
pub(crate) struct Rules {
    /// The first one is the outermost.
    schemas: Vec<Schema>,
}

/// The rules of one schema, in the order in which their breaches are reported.
#[derive(Debug, Default)]
struct Schema {
    kinds: Option<Described<Kinds>>,
    members: Option<Box<Members>>,
    /// `enum` and `const`.
    values: Vec<Described<Values>>,
    limits: Limits,
    rules: Vec<Described<Rule>>,
    /// No other schema is looked at on the way.
    is_flat: bool,
    /// There is a rule about what no other rule has looked at.
    has_unevaluated: bool,
}

/// A rule and what is said when it is broken.
#[derive(Debug)]
struct Described<T> {
    rule: T,
    reason: Reason,
}

/// What is said when a rule is broken, written down once.
#[derive(Debug)]
struct Reason {
    keyword: &'static str,
    message: Message,
}

#[derive(Debug)]
enum Message {
    Fixed(String),
    /// The names of an object that are neither among these nor match a pattern.
    OtherNames(Box<(Vec<String>, Vec<Matcher>)>),
    /// The names of an object that nothing has looked at and that do not fit this schema.
    Unevaluated(SchemaId),
}

/// A rule that holds schemas.
#[derive(Debug)]
enum Rule {
    ItemAt(usize, SchemaId),
    ItemsFrom(usize, SchemaId),
    /// So many items must satisfy the schema.
    Contains {
        schema: SchemaId,
        least: u64,
        most: u64,
    },
    /// The schema holds for all names.
    Names(SchemaId),
    /// The same value must also satisfy this schema.
    Also(SchemaId),
    AnyOf(Alternatives),
    /// With what is said when more than one fits.
    OneOf(Alternatives, Box<Reason>),
    Not(SchemaId),
    If(SchemaId, Option<SchemaId>, Option<SchemaId>),
    /// If there is such a member, the schema holds.
    Dependent(String, SchemaId),
    /// The schema holds for the members that nothing else has looked at.
    UnevaluatedMembers(SchemaId),
    /// The schema holds for the items that nothing else has looked at.
    UnevaluatedItems(SchemaId),
}

/// What the value must be equal to one of.
#[derive(Debug)]
struct Values {
    strings: Words<()>,
    others: Vec<Value>,
}

/// What was broken, and which value of the tape breaks it.
///
/// Small enough to be handed on in registers.
#[derive(Debug, Clone, Copy)]
struct Breach<'r> {
    reason: &'r Reason,
    at: u32,
}

impl Rules {
    /// Whether `input` keeps all rules; nothing if finding out takes too long.
    pub(crate) fn accepts(&self, input: Node<'_>) -> Option<bool> {
        let mut walk = Walk::new(self, input, true);
        let breach = walk.breach(0, input);
        walk.is_finished().then_some(breach.is_none())
    }

    /// As [`Self::accepts`], with the first reason.
    pub(crate) fn check(&self, input: Node<'_>) -> Option<Result<(), Violation<'_>>> {
        let mut walk = Walk::new(self, input, false);
        let breach = walk.breach(0, input);
        if !walk.is_finished() {
            return None;
        }
        let Some(Breach { reason, at }) = breach else { return Some(Ok(())) };
        let message = match &reason.message {
            Message::Fixed(text) => Cow::Borrowed(text.as_str()),
            Message::OtherNames(described) => {
                let (names, patterns) = &**described;
                let object = place::find(input, at);
                text::unknown_fields(&members::others(object, names, patterns)).into()
            }
            Message::Unevaluated(schema) => {
                let object = place::find(input, at);
                text::unknown_fields(&walk.unevaluated_names(*schema, object)).into()
            }
        };
        Some(Err(Violation { path: self.path(input, at), keyword: reason.keyword.into(), message }))
    }

    /// The way to the value with this index. Most are members of the outermost object, and the way to
    /// those is written down already.
    fn path(&self, input: Node<'_>, at: u32) -> Cow<'_, str> {
        if at == input.index() {
            return Cow::Borrowed("");
        }
        let members = self.schemas.first().and_then(|schema| schema.members.as_ref());
        let known = place::name_of_member(input, at)
            .and_then(|name| members.and_then(|members| members.names.find(name)));
        match known {
            Some(known) => Cow::Borrowed(&known.pointer),
            None => Cow::Owned(place::path(input, at)),
        }
    }
}

impl<'r> Breach<'r> {
    fn at(reason: &'r Reason, value: Node<'_>) -> Self {
        Self { reason, at: value.index() }
    }
}

impl<T> Described<T> {
    fn new(keyword: &'static str, message: String, rule: T) -> Self {
        Self { rule, reason: Reason::fixed(keyword, message) }
    }
}

impl Reason {
    fn fixed(keyword: &'static str, message: String) -> Self {
        Self { keyword, message: Message::Fixed(message) }
    }
}
