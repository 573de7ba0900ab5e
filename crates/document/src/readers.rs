//! Readers of single values: a text, a number, a word, a list.

use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

use assent_json::Pointer;
use assent_protocol::wire::Word;
use serde_json::{Number, Value};

use crate::{
    Kind, Node,
    suggest::{quoted, words},
    tree::Data,
};

/// Reads any value.
#[must_use]
pub fn any(node: &Node<'_>) -> Option<Value> {
    Some(node.to_value())
}

/// Reads any text, also an empty one.
#[must_use]
pub fn text(node: &Node<'_>) -> Option<String> {
    borrowed_text(node).map(str::to_owned)
}

/// Reads any text without copying it.
#[must_use]
pub fn borrowed_text<'d>(node: &Node<'d>) -> Option<&'d str> {
    let text = node.as_text();
    if text.is_none() {
        match node.kind() {
            // YAML reads `1.0` and `true` without quotes as a number and a boolean.
            found @ (Kind::Boolean | Kind::Number) => {
                node.problem(format!("expected text, found {found}; put it into quotes"));
            }
            _ => node.expected("text"),
        }
    }
    text
}

/// Reads a text that is not empty.
#[must_use]
pub fn some_text(node: &Node<'_>) -> Option<String> {
    let text = text(node)?;
    if text.is_empty() {
        node.problem("the text must not be empty");
        return None;
    }
    Some(text)
}

/// Reads a text that is parsed into a value, such as an id.
#[must_use]
pub fn parsed<T: FromStr<Err: Display>>(node: &Node<'_>) -> Option<T> {
    borrowed_text(node)?.parse().map_err(|error: T::Err| node.problem(error.to_string())).ok()
}

/// Reads a word of a closed vocabulary.
#[must_use]
pub fn word<W: Word>(node: &Node<'_>) -> Option<W> {
    let text = borrowed_text(node)?;
    let found = W::find(text);
    if found.is_none() {
        let expected = words(W::WORDS.iter().copied());
        let found = node.found(&format!("`{}`", quoted(text)));
        node.problem(format!("expected one of {expected}{found}"));
    }
    found
}

/// Reads a JSON Pointer (RFC 6901).
#[must_use]
pub fn pointer(node: &Node<'_>) -> Option<Pointer> {
    let text = borrowed_text(node)?;
    let is_escaped = text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    if is_escaped && (text.is_empty() || text.starts_with('/')) {
        return Some(Pointer::from_tokens(Pointer::tokens(text)));
    }
    let found = node.found(&format!("`{}`", quoted(text)));
    node.problem(format!("expected a JSON Pointer such as `/path` or `/items/0/name`{found}"));
    None
}

/// Reads `true` or `false`.
#[must_use]
pub fn boolean(node: &Node<'_>) -> Option<bool> {
    match node.value.data {
        Data::Boolean(boolean) => Some(boolean),
        _ => {
            node.expected("`true` or `false`");
            None
        }
    }
}

/// Reads any number.
#[must_use]
pub fn number(node: &Node<'_>) -> Option<Number> {
    match &node.value.data {
        Data::Number(number) => Some(number.clone()),
        _ => {
            node.expected("a number");
            None
        }
    }
}

/// Reads a number within bounds.
#[must_use]
pub fn number_within(node: &Node<'_>, range: RangeInclusive<f64>) -> Option<f64> {
    let expected = format!("a number from {} to {}", range.start(), range.end());
    let Data::Number(number) = &node.value.data else {
        node.expected(&expected);
        return None;
    };
    let found = number.as_f64().filter(|number| range.contains(number));
    if found.is_none() {
        node.problem(format!("expected {expected}{}", node.found(&number.to_string())));
    }
    found
}

/// Reads a whole number within bounds.
#[must_use]
pub fn whole(node: &Node<'_>, range: RangeInclusive<u64>) -> Option<u64> {
    let expected = format!("a whole number from {} to {}", range.start(), range.end());
    let Data::Number(number) = &node.value.data else {
        node.expected(&expected);
        return None;
    };
    let found = number.as_u64().filter(|number| range.contains(number));
    if found.is_none() {
        node.problem(format!("expected {expected}{}", node.found(&number.to_string())));
    }
    found
}

/// Reads a list with a reader for its items. Items that cannot be read are left out.
#[must_use]
pub fn list<'d, T>(node: &Node<'d>, reader: impl FnMut(&Node<'d>) -> Option<T>) -> Option<Vec<T>> {
    let mut reader = reader;
    Some(node.items()?.filter_map(|item| reader(&item)).collect())
}
