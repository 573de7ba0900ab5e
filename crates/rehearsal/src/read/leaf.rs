//! Readers of values that consist of one thing: a text, a number, a word, an id.

use std::{num::NonZeroU32, ops::RangeInclusive, str::FromStr};

use assent_ids::ParseIdError;
use assent_json::Pointer;
use assent_policy::Glob;
use assent_protocol::wire::{Millis, Object, Open, Word};
use serde_json::{Number, Value};

use super::{
    at::At,
    nearest::{listed, shown},
    reading::MAX_PATTERNS,
    tree::Data,
};
use crate::Pattern;

/// Virtual time is cheap, but sums of times must stay far below what a clock can count.
const MAX_MILLIS: u64 = 366 * 24 * 60 * 60 * 1000;

/// Any value.
#[expect(clippy::unnecessary_wraps, reason = "it is a reader as all others are")]
pub(super) fn any(at: &At<'_>) -> Option<Value> {
    Some(at.node.to_value())
}

/// Any object.
pub(super) fn object(at: &At<'_>) -> Option<Object> {
    match at.node.to_value() {
        Value::Object(members) => Some(members.into_iter().collect()),
        _ => {
            at.expected("an object");
            None
        }
    }
}

pub(super) fn borrowed_text<'t>(at: &At<'t>) -> Option<&'t str> {
    match &at.node.data {
        Data::Text(text) => Some(text),
        Data::Bool(_) | Data::Number(_) => {
            let found = at.node.data.kind();
            at.problem(format!("expected text, found {found}; put it into quotes"));
            None
        }
        _ => {
            at.expected("text");
            None
        }
    }
}

/// Any text, also an empty one.
pub(super) fn text(at: &At<'_>) -> Option<String> {
    borrowed_text(at).map(str::to_owned)
}

/// A text that is not empty.
pub(super) fn some_text(at: &At<'_>) -> Option<String> {
    let text = text(at)?;
    if text.is_empty() {
        at.problem("the text must not be empty");
        return None;
    }
    Some(text)
}

/// Text in which `*` and `?` stand for other characters.
pub(super) fn glob(at: &At<'_>) -> Option<String> {
    let text = text(at)?;
    Glob::parse(&text).map_err(|error| at.problem(error.to_string())).ok()?;
    Some(text)
}

pub(super) fn boolean(at: &At<'_>) -> Option<bool> {
    match at.node.data {
        Data::Bool(boolean) => Some(boolean),
        _ => {
            at.expected("`true` or `false`");
            None
        }
    }
}

/// `true`, where the key alone says everything.
pub(super) fn yes(at: &At<'_>) -> Option<()> {
    if boolean(at)? {
        return Some(());
    }
    at.problem("only `true` makes sense here; leave it out instead");
    None
}

pub(super) fn number(at: &At<'_>) -> Option<Number> {
    match &at.node.data {
        Data::Number(number) => Some(number.clone()),
        _ => {
            at.expected("a number");
            None
        }
    }
}

/// A whole number within bounds.
pub(super) fn whole(at: &At<'_>, range: RangeInclusive<u64>) -> Option<u64> {
    let expected = format!("a whole number from {} to {}", range.start(), range.end());
    let Data::Number(number) = &at.node.data else {
        at.expected(&expected);
        return None;
    };
    let found = number.as_u64().filter(|number| range.contains(number));
    if found.is_none() {
        at.problem(format!("expected {expected}, found {number}"));
    }
    found
}

/// A time that may be zero.
pub(super) fn millis(at: &At<'_>) -> Option<Millis> {
    whole(at, 0..=MAX_MILLIS).map(Millis)
}

/// A time that may not be zero.
pub(super) fn some_millis(at: &At<'_>) -> Option<Millis> {
    whole(at, 1..=MAX_MILLIS).map(Millis)
}

/// A number of things, from one on.
pub(super) fn positive(at: &At<'_>) -> Option<NonZeroU32> {
    let found = whole(at, 1..=u64::from(u32::MAX))?;
    u32::try_from(found).ok().and_then(NonZeroU32::new)
}

/// A word of a closed vocabulary.
pub(super) fn word<W: Word>(at: &At<'_>) -> Option<W> {
    let text = borrowed_text(at)?;
    let found = W::find(text);
    if found.is_none() {
        let words = listed(W::WORDS.iter().copied());
        at.problem(format!("expected one of {words}, found `{}`", shown(text)));
    }
    found
}

/// A word of a vocabulary that others may add to.
pub(super) fn open_word<W: Word>(at: &At<'_>) -> Option<Open<W>> {
    some_text(at).map(|text| Open::read(&text))
}

/// An id or a name.
pub(super) fn id<T: FromStr<Err = ParseIdError>>(at: &At<'_>) -> Option<T> {
    borrowed_text(at)?.parse().map_err(|error: ParseIdError| at.problem(error.to_string())).ok()
}

/// A JSON Pointer (RFC 6901).
pub(super) fn pointer(at: &At<'_>) -> Option<Pointer> {
    let text = borrowed_text(at)?;
    let escapes = text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    if escapes && (text.is_empty() || text.starts_with('/')) {
        return Some(Pointer::from_tokens(Pointer::tokens(text)));
    }
    let shown = shown(text);
    at.problem(format!("`{shown}` is not a JSON Pointer such as `/path` or `/items/0/name`"));
    None
}

/// A JSON Pointer, or the bare name of a member of the input.
pub(super) fn field(at: &At<'_>) -> Option<Pointer> {
    let text = some_text(at)?;
    if text.starts_with('/') { pointer(at) } else { Some(Pointer::root().key(&text)) }
}

/// A regular expression.
pub(super) fn pattern(at: &At<'_>) -> Option<Pattern> {
    let text = borrowed_text(at)?;
    if !at.reading.may_compile() {
        at.problem(format!("a file has at most {MAX_PATTERNS} patterns"));
        return None;
    }
    let compiled = Pattern::compile(text);
    if compiled.is_none() {
        let shown = shown(text);
        at.problem(format!(
            "`{shown}` is not a regular expression that can be matched in linear time and little memory"
        ));
    }
    compiled
}

/// A list, with a reader for its items. Items that are wrong are left out.
pub(super) fn list<'t, T>(at: &At<'t>, each: impl FnMut(&At<'t>) -> Option<T>) -> Option<Vec<T>> {
    let mut each = each;
    Some(at.items()?.filter_map(|item| each(&item)).collect())
}
