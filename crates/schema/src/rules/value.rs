//! What every rule asks of a value first.

use assent_json::{Kind, Node, Number};

use crate::compare::{Kinds, ValueKind};

pub(super) fn object(value: Node<'_>) -> Option<Node<'_>> {
    (value.kind() == Kind::Object).then_some(value)
}

pub(super) fn array(value: Node<'_>) -> Option<Node<'_>> {
    (value.kind() == Kind::Array).then_some(value)
}

#[inline]
pub(super) fn is_of(value: Node<'_>, kinds: Kinds) -> bool {
    kinds.has(match value.kind() {
        Kind::Null => ValueKind::Null,
        Kind::Boolean => ValueKind::Boolean,
        Kind::String => ValueKind::String,
        Kind::Array => ValueKind::Array,
        Kind::Object => ValueKind::Object,
        Kind::Number => return is_number_of(value, kinds),
    })
}

/// Whether a number is an integer takes a look at its text, which is spared if it does not matter.
fn is_number_of(number: Node<'_>, kinds: Kinds) -> bool {
    let integers = kinds.has(ValueKind::Integer);
    if integers == kinds.has(ValueKind::Fraction) {
        return integers;
    }
    number.as_number().is_some_and(is_integer) == integers
}

fn is_integer(number: Number<'_>) -> bool {
    is_short_and_plain(number.as_str()) || number.is_integer()
}

/// The value of a number.
pub(super) fn double(number: Number<'_>) -> f64 {
    let text = number.as_str();
    if is_short_and_plain(text) {
        // So few digits are exact all the way.
        text.bytes().fold(0.0, |value, digit| value * 10.0 + f64::from(digit - b'0'))
    } else {
        number.as_f64()
    }
}

/// True for the numbers that people write: a few digits and nothing else.
fn is_short_and_plain(text: &str) -> bool {
    text.len() <= 10 && text.bytes().all(|byte| byte.is_ascii_digit())
}
