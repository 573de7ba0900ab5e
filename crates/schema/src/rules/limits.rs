//! The rules that hold no schemas, by the kind of value that they are about.

use assent_json::{Kind, Node};
use jsonschema::{
    Validator,
    json::{Array as _, Node as _},
};

use super::{Described, Matcher, Reason, Values, value::double, walk::Walk};
use crate::representation::{Instance, OnTape};

/// Integers beyond this are not all doubles.
pub(super) const MAX_EXACT: u64 = 1 << 53;

/// Up to so many strings, comparing each with each beats anything else.
const FEW: usize = 16;

/// Limits of a schema.
#[derive(Debug, Default)]
pub(super) struct Limits {
    pub(super) texts: Vec<Described<TextLimit>>,
    pub(super) numbers: Vec<Described<NumberLimit>>,
    pub(super) arrays: Vec<Described<ArrayLimit>>,
    pub(super) objects: Vec<Described<ObjectLimit>>,
}

#[derive(Debug)]
pub(super) enum TextLimit {
    AtLeast(u64),
    AtMost(u64),
    Matches(Matcher),
    /// What is of the format beyond doubt; the validator decides about all else.
    Format(fn(&[u8]) -> bool, Box<Validator<OnTape>>),
}

#[derive(Debug)]
pub(super) enum NumberLimit {
    AtLeast(f64),
    AtMost(f64),
    Above(f64),
    Below(f64),
    /// Integers are divided here, all other numbers by the validator.
    MultipleOf(i64, Box<Validator<OnTape>>),
    /// One keyword, decided by the validator.
    Asked(Box<Validator<OnTape>>),
}

#[derive(Debug)]
pub(super) enum ArrayLimit {
    AtLeast(u64),
    AtMost(u64),
    Distinct,
}

#[derive(Debug)]
pub(super) enum ObjectLimit {
    AtLeast(u64),
    AtMost(u64),
    /// One of so many names that they do not fit into [`super::Members`].
    Has(String),
}

impl<'r> Walk<'r> {
    /// Why `value` breaks a limit, if it does.
    // Most values have no limits, and are not to wait for those that do.
    #[inline]
    pub(super) fn broken_limit(
        &mut self,
        limits: &'r Limits,
        value: Node<'_>,
    ) -> Option<&'r Reason> {
        match value.kind() {
            Kind::String if !limits.texts.is_empty() => self.broken_in_text(&limits.texts, value),
            Kind::Number if !limits.numbers.is_empty() => broken_in_number(&limits.numbers, value),
            Kind::Array if !limits.arrays.is_empty() => self.broken_in_array(&limits.arrays, value),
            Kind::Object if !limits.objects.is_empty() => broken_in_object(&limits.objects, value),
            _ => None,
        }
    }

    #[inline(never)]
    fn broken_in_text(
        &mut self,
        limits: &'r [Described<TextLimit>],
        value: Node<'_>,
    ) -> Option<&'r Reason> {
        let text = value.as_str()?;
        let bytes = text.len() as u64;
        first_broken(limits, |limit| match limit {
            // A character takes up to four bytes: mostly there is nothing to count.
            TextLimit::AtLeast(least) => {
                bytes / 4 >= *least || (bytes >= *least && self.characters(text) >= *least)
            }
            TextLimit::AtMost(most) => bytes <= *most || self.characters(text) <= *most,
            TextLimit::Matches(pattern) => {
                self.take_bytes(text.len());
                pattern.is_match(text)
            }
            TextLimit::Format(is_surely, validator) => {
                self.take_bytes(text.len());
                is_surely(text.as_bytes()) || validator.is_valid(Instance::Value(value))
            }
        })
    }

    #[inline(never)]
    fn broken_in_array(
        &mut self,
        limits: &'r [Described<ArrayLimit>],
        array: Node<'_>,
    ) -> Option<&'r Reason> {
        let length = array.len() as u64;
        first_broken(limits, |limit| match limit {
            ArrayLimit::AtLeast(least) => length >= *least,
            ArrayLimit::AtMost(most) => length <= *most,
            ArrayLimit::Distinct => self.is_distinct(array),
        })
    }

    fn characters(&mut self, text: &str) -> u64 {
        self.take_bytes(text.len());
        text.chars().count() as u64
    }

    fn is_distinct(&mut self, array: Node<'_>) -> bool {
        if array.len() < 2 {
            return true;
        }
        if array.len() <= FEW && array.elements().all(|item| item.kind() == Kind::String) {
            let items = || array.elements().map(|item| item.as_bytes());
            return items()
                .enumerate()
                .all(|(at, text)| !items().take(at).any(|earlier| earlier == text));
        }
        self.take_all(array);
        Instance::Value(array).as_array().is_none_or(|array| array.is_unique())
    }

    pub(super) fn is_among(&mut self, values: &Values, value: Node<'_>) -> bool {
        if let Some(text) = value.as_bytes() {
            self.take_bytes(text.len());
            return values.strings.find(text).is_some();
        }
        if values.others.is_empty() {
            return false;
        }
        self.take_all(value);
        values.others.iter().any(|option| Instance::Value(value).equals_value(option))
    }

    /// Counts a look at everything in a value. How much that is is not known without looking: an
    /// array or object may be all of the document.
    fn take_all(&mut self, node: Node<'_>) {
        if !node.is_empty() {
            self.take_bytes(node.source().len());
        }
    }
}

fn first_broken<T>(limits: &[Described<T>], mut keeps: impl FnMut(&T) -> bool) -> Option<&Reason> {
    limits.iter().find(|described| !keeps(&described.rule)).map(|described| &described.reason)
}

#[inline(never)]
fn broken_in_number<'r>(
    limits: &'r [Described<NumberLimit>],
    value: Node<'_>,
) -> Option<&'r Reason> {
    let number = value.as_number()?;
    let double = double(number);
    let ask = |validator: &Validator<OnTape>| validator.is_valid(Instance::Value(value));
    first_broken(limits, |limit| match limit {
        NumberLimit::AtLeast(least) => double >= *least,
        NumberLimit::AtMost(most) => double <= *most,
        NumberLimit::Above(limit) => double > *limit,
        NumberLimit::Below(limit) => double < *limit,
        NumberLimit::Asked(validator) => ask(validator),
        NumberLimit::MultipleOf(divisor, validator) => {
            match number.as_i64().filter(|integer| integer.unsigned_abs() <= MAX_EXACT) {
                Some(integer) => integer.checked_rem(*divisor) == Some(0),
                None => ask(validator),
            }
        }
    })
}

#[inline(never)]
fn broken_in_object<'r>(
    limits: &'r [Described<ObjectLimit>],
    object: Node<'_>,
) -> Option<&'r Reason> {
    let length = object.len() as u64;
    first_broken(limits, |limit| match limit {
        ObjectLimit::AtLeast(least) => length >= *least,
        ObjectLimit::AtMost(most) => length <= *most,
        ObjectLimit::Has(name) => object.get(name).is_some(),
    })
}
