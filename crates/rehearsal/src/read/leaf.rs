//! Readers of single values that only rehearsals have.

use std::num::NonZeroU32;

use assent_document::{
    Node,
    readers::{boolean, pointer, some_text, text, whole},
};
use assent_json::Pointer;
use assent_policy::Glob;
use assent_protocol::wire::{Millis, Object, Open, Word};
use serde_json::Value;

/// Bounds times so that sums of them stay far below what a clock can count.
const MAX_MILLIS: u64 = 366 * 24 * 60 * 60 * 1000;

/// Reads any object.
pub(super) fn object(node: &Node<'_>) -> Option<Object> {
    match node.to_value() {
        Value::Object(members) => Some(members.into_iter().collect()),
        _ => {
            node.expected("an object");
            None
        }
    }
}

/// Reads a text in which `*` and `?` stand for other characters.
pub(super) fn glob(node: &Node<'_>) -> Option<String> {
    let text = text(node)?;
    Glob::parse(&text).map_err(|error| node.problem(error.to_string())).ok()?;
    Some(text)
}

/// Reads `true`, for keys that take no other value.
pub(super) fn yes(node: &Node<'_>) -> Option<()> {
    if boolean(node)? {
        return Some(());
    }
    node.problem("only `true` makes sense here; leave it out instead");
    None
}

/// Reads a time that may be zero.
pub(super) fn millis(node: &Node<'_>) -> Option<Millis> {
    whole(node, 0..=MAX_MILLIS).map(Millis)
}

/// Reads a time that must not be zero.
pub(super) fn some_millis(node: &Node<'_>) -> Option<Millis> {
    whole(node, 1..=MAX_MILLIS).map(Millis)
}

/// Reads a count from 1 up.
pub(super) fn positive(node: &Node<'_>) -> Option<NonZeroU32> {
    let found = whole(node, 1..=u64::from(u32::MAX))?;
    u32::try_from(found).ok().and_then(NonZeroU32::new)
}

/// Reads a word of an open vocabulary.
pub(super) fn open_word<W: Word>(node: &Node<'_>) -> Option<Open<W>> {
    some_text(node).map(|text| Open::read(&text))
}

/// Reads a JSON Pointer, or the bare name of a member of the input.
pub(super) fn field(node: &Node<'_>) -> Option<Pointer> {
    let text = some_text(node)?;
    if text.starts_with('/') { pointer(node) } else { Some(Pointer::root().key(&text)) }
}

/// Lists words as a part of a sentence.
pub(super) fn listed<W: Word>(words: impl Iterator<Item = W>) -> String {
    let words: Vec<String> = words.map(|word| format!("`{}`", word.word())).collect();
    words.join(", ")
}
