//! The value that is looked at, with what every rule asks first.

use assent_json::{Kind, Node, Number};

use crate::{
    compare::{Kinds, ValueKind},
    representation::Instance,
};

/// A value of a document, or a name that is looked at as a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject<'d> {
    pub(super) instance: Instance<'d>,
    pub(super) kind: Kind,
}

impl<'d> Subject<'d> {
    pub(super) fn value(node: Node<'d>) -> Self {
        Self { instance: Instance::Value(node), kind: node.kind() }
    }

    pub(super) fn name(name: &'d str) -> Self {
        Self { instance: Instance::Name(name), kind: Kind::String }
    }

    pub(super) fn object(&self) -> Option<Node<'d>> {
        self.of_kind(Kind::Object)
    }

    pub(super) fn array(&self) -> Option<Node<'d>> {
        self.of_kind(Kind::Array)
    }

    pub(super) fn number(&self) -> Option<Number<'d>> {
        self.of_kind(Kind::Number)?.as_number()
    }

    /// The number of the value on the tape. What is wrong with a name is told of its object.
    pub(super) fn index(&self) -> u32 {
        match self.instance {
            Instance::Value(node) => node.index(),
            Instance::Name(_) => 0,
        }
    }

    pub(super) fn is_of(&self, kinds: Kinds) -> bool {
        let kind = match self.kind {
            Kind::Null => ValueKind::Null,
            Kind::Boolean => ValueKind::Boolean,
            Kind::String => ValueKind::String,
            Kind::Array => ValueKind::Array,
            Kind::Object => ValueKind::Object,
            Kind::Number if kinds.has(ValueKind::Fraction) == kinds.has(ValueKind::Integer) => {
                ValueKind::Integer
            }
            Kind::Number if self.number().is_some_and(is_integer) => ValueKind::Integer,
            Kind::Number => ValueKind::Fraction,
        };
        kinds.has(kind)
    }

    fn of_kind(&self, kind: Kind) -> Option<Node<'d>> {
        match self.instance {
            Instance::Value(node) if self.kind == kind => Some(node),
            _ => None,
        }
    }
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
