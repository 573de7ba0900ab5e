//! Readers of values that consist of one thing: a text, a number, a word, an id.

use std::{ops::RangeInclusive, str::FromStr};

use assent_ids::ParseIdError;
use assent_json::{Json, Kind};
use assent_protocol::wire::Word;

use super::At;

/// Any value.
pub(crate) fn any(at: &At<'_>) -> Option<Json> {
    let canonical = String::from_utf8(at.node.canonical()).ok();
    let json = canonical.and_then(|text| Json::read(text).ok());
    if json.is_none() {
        at.problem("this value cannot be taken out of its document");
    }
    json
}

/// Any object.
pub(crate) fn object(at: &At<'_>) -> Option<Json> {
    at.is(Kind::Object, "an object")?;
    any(at)
}

/// Any text, also an empty one.
pub(crate) fn text(at: &At<'_>) -> Option<String> {
    borrowed(at).map(str::to_owned)
}

fn borrowed<'d>(at: &At<'d>) -> Option<&'d str> {
    at.is(Kind::String, "a string")?;
    at.node.as_str()
}

pub(crate) fn boolean(at: &At<'_>) -> Option<bool> {
    at.is(Kind::Boolean, "`true` or `false`")?;
    at.node.as_bool()
}

/// A whole number within bounds.
pub(crate) fn whole(at: &At<'_>, range: RangeInclusive<u64>) -> Option<u64> {
    let expected = format!("a whole number from {} to {}", range.start(), range.end());
    at.is(Kind::Number, &expected)?;
    let found = at.node.as_number().and_then(|number| number.as_u64());
    let found = found.filter(|number| range.contains(number));
    if found.is_none() {
        at.problem(format!("expected {expected}"));
    }
    found
}

/// A number from 0 to 100.
pub(crate) fn percent(at: &At<'_>) -> Option<f64> {
    at.is(Kind::Number, "a number from 0 to 100")?;
    let found = at.node.as_number().map(|number| number.as_f64());
    let found = found.filter(|number| (0.0..=100.0).contains(number));
    if found.is_none() {
        at.problem("expected a number from 0 to 100");
    }
    found
}

/// A word of a closed vocabulary.
pub(crate) fn word<W: Word>(at: &At<'_>) -> Option<W> {
    let found = W::find(borrowed(at)?);
    if found.is_none() {
        let words: Vec<String> = W::WORDS.iter().map(|word| format!("`{}`", word.word())).collect();
        at.problem(format!("expected one of {}", words.join(", ")));
    }
    found
}

/// An id or a name.
pub(crate) fn id<T: FromStr<Err = ParseIdError>>(at: &At<'_>) -> Option<T> {
    borrowed(at)?.parse().map_err(|error: ParseIdError| at.problem(error.to_string())).ok()
}

/// A list, with a reader for its items. Items that are wrong are left out.
pub(crate) fn list<'d, T>(
    at: &At<'d>,
    mut each: impl FnMut(&At<'d>) -> Option<T>,
) -> Option<Vec<T>> {
    Some(at.items()?.filter_map(|item| each(&item)).collect())
}
