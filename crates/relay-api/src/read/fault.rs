//! What is wrong with a value, and where.

use std::fmt;

use assent_json::Pointer;
use assent_protocol::a2h::{ApiCode, ApiError};
use serde::de::{self, Expected, Unexpected};

use super::expected::{in_plain_words, kind};
use crate::value::BrokenRule;

/// What is wrong. Collects the way to the value from its end, while the reader returns from the depths.
#[derive(Debug)]
pub(super) struct Fault {
    code: ApiCode,
    message: String,
    /// The steps to the value, innermost first.
    steps: Vec<String>,
}

impl Fault {
    fn new(code: ApiCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), steps: Vec::new() }
    }

    /// A fault at a name.
    pub(super) fn at(code: ApiCode, name: &str, message: impl Into<String>) -> Self {
        let fault = Self::new(code, message);
        if name.is_empty() { fault } else { fault.inside(name) }
    }

    /// The fault, seen from the object or array around the value.
    pub(super) fn inside(mut self, step: &str) -> Self {
        self.steps.push(step.to_owned());
        self
    }

    pub(super) fn with_code(self, code: ApiCode) -> Self {
        Self { code, ..self }
    }

    pub(super) fn into_error(self) -> ApiError {
        let pointer = Pointer::from_tokens(self.steps.into_iter().rev());
        ApiError::new(self.code, self.message).at(pointer.as_str())
    }
}

/// Ids and words of closed lists begin what they say with the text that was read, which may be a secret.
fn without_value(message: String) -> String {
    if !message.starts_with('`') {
        return message;
    }
    // The last one of these is theirs: whatever the text is, it comes before.
    let said = ["is not a valid ", "is none of "].into_iter().find_map(|verdict| {
        let (_, rest) = message.rsplit_once(&format!("` {verdict}"))?;
        Some(format!("this {verdict}{rest}"))
    });
    said.unwrap_or(message)
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    /// A rule of ours is broken: the type was right.
    fn custom<T: fmt::Display>(message: T) -> Self {
        let form = format!("{message:#}");
        let Some((code, pointer, text)) = BrokenRule::take_apart(&form) else {
            return Self::new(ApiCode::ValidationFailed, without_value(form));
        };
        let mut steps: Vec<String> = Pointer::tokens(pointer).collect();
        steps.reverse();
        Self { code, message: text.to_owned(), steps }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = in_plain_words(expected);
        Self::new(ApiCode::BadRequest, format!("expected {expected}, found {}", kind(found)))
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = in_plain_words(expected);
        Self::new(ApiCode::ValidationFailed, format!("this is not {expected}"))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        let expected = in_plain_words(expected);
        Self::new(ApiCode::BadRequest, format!("expected {expected}, found {length} entries"))
    }

    fn unknown_variant(_: &str, known: &'static [&'static str]) -> Self {
        Self::new(ApiCode::ValidationFailed, format!("this is none of {}", known.join(", ")))
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> Self {
        let message = format!("there is no such field here, only {}", known.join(", "));
        Self::new(ApiCode::ValidationFailed, message).inside(field)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(ApiCode::BadRequest, "this field is missing").inside(field)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new(ApiCode::BadRequest, "this field is there twice").inside(field)
    }
}
