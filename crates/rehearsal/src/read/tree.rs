//! The tree that both formats become: values that know where they stand.

use assent_json::Pointer;
use serde_json::{Number, Value};

/// A value and the byte of the text at which it begins.
#[derive(Debug, Clone)]
pub(super) struct Spanned {
    pub(super) offset: usize,
    pub(super) data: Data,
}

/// The six kinds of values.
#[derive(Debug, Clone)]
pub(super) enum Data {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Spanned>),
    /// INVARIANT: no key occurs twice.
    Map(Vec<Member>),
}

/// A key, the byte at which it begins, and its value.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) key: String,
    pub(super) key_offset: usize,
    pub(super) value: Spanned,
}

impl Data {
    /// The kind of value, as a part of a sentence.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Map(_) => "an object",
        }
    }
}

impl Spanned {
    /// The member of this name, if this is an object that has it.
    pub(super) fn get(&self, key: &str) -> Option<&Member> {
        match &self.data {
            Data::Map(members) => members.iter().find(|member| member.key == key),
            _ => None,
        }
    }

    /// A copy without places.
    pub(super) fn to_value(&self) -> Value {
        match &self.data {
            Data::Null => Value::Null,
            Data::Bool(boolean) => Value::Bool(*boolean),
            Data::Number(number) => Value::Number(number.clone()),
            Data::Text(text) => Value::String(text.clone()),
            Data::List(items) => items.iter().map(Self::to_value).collect(),
            Data::Map(members) => Value::Object(
                members
                    .iter()
                    .map(|member| (member.key.clone(), member.value.to_value()))
                    .collect(),
            ),
        }
    }

    /// Where to look for what `pointer` is about: a scalar itself, or the key of a list or object; if
    /// the pointer leads to nothing, the nearest value around it.
    pub(super) fn locate(&self, pointer: &str) -> usize {
        let mut node = self;
        let mut offset = self.offset;
        for token in Pointer::tokens(pointer) {
            (node, offset) = match &node.data {
                Data::List(items) => match token.parse().ok().and_then(|at: usize| items.get(at)) {
                    Some(item) => (item, item.offset),
                    None => break,
                },
                _ => match node.get(&token) {
                    Some(Member { key_offset, value, .. }) => match value.data {
                        Data::List(_) | Data::Map(_) => (value, *key_offset),
                        _ => (value, value.offset),
                    },
                    None => break,
                },
            };
        }
        offset
    }
}
