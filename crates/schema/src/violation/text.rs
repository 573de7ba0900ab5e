//! The sentences that describe violations.

use std::fmt::{Display, Write as _};

use serde_json::Value;

pub(crate) fn required(name: &str) -> String {
    format!("the field `{}` is missing", name.escape_debug())
}

pub(crate) fn types(names: &[String]) -> String {
    format!("must be of type {}", names.join(" or "))
}

pub(crate) fn options(shown: &str) -> String {
    format!("must be one of {shown}")
}

pub(crate) fn constant(shown: &str) -> String {
    format!("must be {shown}")
}

pub(crate) fn minimum(limit: &impl Display) -> String {
    format!("must be at least {limit}")
}

pub(crate) fn maximum(limit: &impl Display) -> String {
    format!("must be at most {limit}")
}

pub(crate) fn exclusive_minimum(limit: &impl Display) -> String {
    format!("must be greater than {limit}")
}

pub(crate) fn exclusive_maximum(limit: &impl Display) -> String {
    format!("must be less than {limit}")
}

pub(crate) fn multiple_of(divisor: &impl Display) -> String {
    format!("must be a multiple of {divisor}")
}

pub(crate) fn at_least(number: u64, what: &str) -> String {
    format!("must have at least {number} {what}")
}

pub(crate) fn at_most(number: u64, what: &str) -> String {
    format!("must have at most {number} {what}")
}

pub(crate) fn pattern(pattern: &str) -> String {
    format!("must match the pattern `{pattern}`")
}

pub(crate) fn format(format: &str) -> String {
    format!("must be a valid `{format}`")
}

pub(crate) fn repeated() -> String {
    "must not hold the same item twice".to_owned()
}

pub(crate) fn bad_name() -> String {
    "has a field whose name is not allowed".to_owned()
}

pub(crate) fn no_alternative() -> String {
    "fits none of the alternatives".to_owned()
}

pub(crate) fn several_alternatives() -> String {
    "fits more than one of the alternatives".to_owned()
}

pub(crate) fn excluded() -> String {
    "is of a kind that is excluded".to_owned()
}

pub(crate) fn nothing_allowed() -> String {
    "nothing is allowed here".to_owned()
}

pub(crate) fn contains() -> String {
    "too few or too many items are of the kind that `contains` asks for".to_owned()
}

pub(crate) fn too_many_items() -> String {
    "there are more items than the schema describes".to_owned()
}

pub(crate) fn unknown_fields(names: &[impl AsRef<str>]) -> String {
    let mut text = String::with_capacity(64);
    text.push_str(if names.len() == 1 { "unknown field" } else { "unknown fields" });
    for (position, name) in names.iter().take(5).enumerate() {
        text.push_str(if position == 0 { " `" } else { ", `" });
        push_escaped(&mut text, name.as_ref());
        text.push('`');
    }
    if names.len() > 5 {
        text.push_str(", …");
    }
    text
}

/// Most names are plain, and copying one costs much less than looking at its characters.
fn push_escaped(text: &mut String, name: &str) {
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')) {
        text.push_str(name);
    } else {
        let _ = write!(text, "{}", name.escape_debug());
    }
}

/// The schema's own value, cut where it would flood the message.
pub(crate) fn shortened(value: &Value) -> String {
    const SHOWN: usize = 120;
    assent_json::shorten(&value.to_string(), SHOWN)
}
