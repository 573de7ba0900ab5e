//! Tests of a value.

use assent_json::{Digest, Json, Kind, Node};
use regex::Regex;

use crate::{
    command::CommandPattern, directory::Directory, host::HostPattern, shape::shape, truth::Truth,
    url_pattern::UrlPattern,
};

/// A test of a value.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Equals(Json),
    OneOf(Box<[Json]>),
    Matches(Regex),
    Under(Directory),
    Host(HostPattern),
    Url(UrlPattern),
    Command(CommandPattern),
    Above(f64),
    Below(f64),
    Absent(bool),
    Digest(Digest),
    Shape(Digest),
}

impl Test {
    pub(super) fn judge(&self, value: Option<Node<'_>>) -> Truth {
        match (self, value) {
            (Self::Absent(absent), value) => (value.is_none() == *absent).into(),
            (_, Some(value)) => self.judge_present(value),
            (_, None) => Truth::Fails,
        }
    }

    fn judge_present(&self, value: Node<'_>) -> Truth {
        match self {
            Self::Equals(expected) => is_same(expected.root(), value).into(),
            Self::OneOf(values) => values.iter().any(|one| is_same(one.root(), value)).into(),
            Self::Matches(regex) => on_text(value, |text| regex.is_match(text).into()),
            Self::Under(directory) => on_text(value, |text| directory.holds(text)),
            Self::Host(pattern) => on_text(value, |text| pattern.judge(text)),
            Self::Url(pattern) => on_text(value, |text| pattern.judge(text)),
            Self::Command(pattern) => pattern.judge(value),
            // Every number of a document is a double, so comparing doubles is exact.
            Self::Above(bound) => on_number(value, |number| number > *bound),
            Self::Below(bound) => on_number(value, |number| number < *bound),
            Self::Absent(absent) => (!absent).into(),
            Self::Digest(digest) => (Digest::of(&value.canonical()) == *digest).into(),
            Self::Shape(expected) => (shape(value) == *expected).into(),
        }
    }
}

fn on_text(value: Node<'_>, judge: impl FnOnce(&str) -> Truth) -> Truth {
    value.as_str().map_or(Truth::Unknown, judge)
}

fn on_number(value: Node<'_>, judge: impl FnOnce(f64) -> bool) -> Truth {
    value.as_number().map_or(Truth::Unknown, |number| judge(number.as_f64()).into())
}

/// Returns `true` if both have the same canonical form. The recursion is bounded: documents are at most 128
/// deep.
fn is_same(a: Node<'_>, b: Node<'_>) -> bool {
    a.kind() == b.kind()
        && match a.kind() {
            Kind::Null => true,
            Kind::Boolean => a.as_bool() == b.as_bool(),
            Kind::Number => a.as_number() == b.as_number(),
            Kind::String => a.as_str() == b.as_str(),
            Kind::Array => {
                a.len() == b.len() && a.elements().zip(b.elements()).all(|(a, b)| is_same(a, b))
            }
            Kind::Object => {
                a.len() == b.len()
                    && a.members().all(|(key, a)| b.get(key).is_some_and(|b| is_same(a, b)))
            }
        }
}
