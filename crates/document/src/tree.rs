//! The tree that every format is parsed into: values with their offsets in the text.

use std::fmt;

use assent_json::Pointer;
use serde_json::{Number, Value};

/// A value and the byte of the text at which it begins.
#[derive(Debug, Clone)]
pub(crate) struct Located {
    pub(crate) offset: usize,
    pub(crate) data: Data,
}

/// The content of a value.
#[derive(Debug, Clone)]
pub(crate) enum Data {
    Null,
    Boolean(bool),
    Number(Number),
    Text(String),
    List(Vec<Located>),
    /// A value that the parser reported. Readers report nothing about it.
    Refused,
    /// INVARIANT: no key occurs twice.
    Object(Vec<Member>),
}

/// A member of an object, with the byte at which its key begins.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) key: String,
    pub(crate) key_offset: usize,
    pub(crate) value: Located,
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// JSON's `null`, or nothing after a key of YAML.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// A string.
    Text,
    /// An array of JSON and TOML, a sequence of YAML.
    List,
    /// An object of JSON, a mapping of YAML, a table of TOML.
    Object,
}

/// The kind as a part of a sentence, such as `a list`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "nothing",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::Text => "text",
            Self::List => "a list",
            Self::Object => "an object",
        })
    }
}

impl Data {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Null | Self::Refused => Kind::Null,
            Self::Boolean(_) => Kind::Boolean,
            Self::Number(_) => Kind::Number,
            Self::Text(_) => Kind::Text,
            Self::List(_) => Kind::List,
            Self::Object(_) => Kind::Object,
        }
    }
}

impl Located {
    /// The members of an object; empty for other values.
    pub(crate) fn members(&self) -> &[Member] {
        match &self.data {
            Data::Object(members) => members,
            _ => &[],
        }
    }

    /// The items of a list; empty for other values.
    pub(crate) fn items(&self) -> &[Located] {
        match &self.data {
            Data::List(items) => items,
            _ => &[],
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Member> {
        self.members().iter().find(|member| member.key == key)
    }

    /// The item that a token of a JSON Pointer leads to.
    pub(crate) fn item(&self, token: &str) -> Option<(usize, &Located)> {
        let index: usize = token.parse().ok()?;
        self.items().get(index).map(|item| (index, item))
    }

    pub(crate) fn to_value(&self) -> Value {
        match &self.data {
            Data::Null | Data::Refused => Value::Null,
            Data::Boolean(boolean) => Value::Bool(*boolean),
            Data::Number(number) => Value::Number(number.clone()),
            Data::Text(text) => Value::String(text.clone()),
            Data::List(items) => items.iter().map(Self::to_value).collect(),
            Data::Object(members) => {
                let member = |member: &Member| (member.key.clone(), member.value.to_value());
                Value::Object(members.iter().map(member).collect())
            }
        }
    }

    /// Returns the offset to show for `pointer`: that of a scalar, or that of the key of a list or
    /// object. If the pointer leads nowhere, the nearest value around it counts.
    pub(crate) fn locate(&self, pointer: &str) -> usize {
        let mut value = self;
        let mut offset = self.offset;
        for token in Pointer::tokens(pointer) {
            if let Some((_, item)) = value.item(&token) {
                (value, offset) = (item, item.offset);
            } else if let Some(member) = value.get(&token) {
                value = &member.value;
                offset = match value.data {
                    Data::List(_) | Data::Object(_) => member.key_offset,
                    _ => value.offset,
                };
            } else {
                break;
            }
        }
        offset
    }
}
