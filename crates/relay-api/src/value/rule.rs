//! That a value of the right type breaks a rule.

use std::{borrow::Cow, fmt};

use assent_protocol::a2h::ApiCode;

/// A rule that a value breaks. It never repeats the value: that may be a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct BrokenRule {
    code: ApiCode,
    pointer: &'static str,
    text: Cow<'static, str>,
}

/// Separates the parts of the alternate form. No text of ours begins with it.
const SEPARATOR: char = '\0';

impl BrokenRule {
    /// A rule, in words.
    #[must_use]
    pub fn new(text: impl Into<Cow<'static, str>>) -> Self {
        Self { code: ApiCode::ValidationFailed, pointer: "", text: text.into() }
    }

    /// The same, about a part of the value: a JSON Pointer.
    #[must_use]
    pub fn at(self, pointer: &'static str) -> Self {
        Self { pointer, ..self }
    }

    /// The same, with another code.
    #[must_use]
    pub fn code(self, code: ApiCode) -> Self {
        Self { code, ..self }
    }

    /// Takes the alternate form apart: code, pointer and text.
    pub(crate) fn take_apart(form: &str) -> Option<(ApiCode, &str, &str)> {
        let (code, rest) = form.strip_prefix(SEPARATOR)?.split_once(SEPARATOR)?;
        let (pointer, text) = rest.split_once(SEPARATOR)?;
        Some((code.parse().ok()?, pointer, text))
    }
}

/// The text. The alternate form holds the code and the pointer too: serde hands only texts of errors on, and
/// our reader takes it apart again.
impl fmt::Display for BrokenRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            write!(f, "{SEPARATOR}{}{SEPARATOR}{}{SEPARATOR}", self.code, self.pointer)?;
        }
        f.write_str(&self.text)
    }
}
