//! Errors of parsing ids.

use std::fmt;

/// The longest part of a refused text that an error repeats: enough to recognize it, too little to
/// flood a log.
const SHOWN_CHARS: usize = 80;

/// The text is not a valid id or name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{shown}` is not a valid {what}: {fault}")]
pub struct ParseIdError {
    what: &'static str,
    shown: String,
    fault: Fault,
}

impl ParseIdError {
    pub(crate) fn new(what: &'static str, text: &str, fault: Fault) -> Self {
        // Escaped, because a refused text may hold control characters and ends up in logs.
        let shown = text.chars().take(SHOWN_CHARS).flat_map(char::escape_debug).collect();
        Self { what, shown, fault }
    }

    /// The kind of id, in words.
    #[must_use]
    pub fn what(&self) -> &'static str {
        self.what
    }

    /// The reason.
    #[must_use]
    pub fn fault(&self) -> Fault {
        self.fault
    }
}

/// The reasons why a text is not an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The text is empty.
    Empty,
    /// The text has more than this many bytes.
    TooLong(usize),
    /// The text does not begin with this prefix.
    Prefix(&'static str),
    /// The text does not have exactly this many characters after its prefix.
    Length(usize),
    /// The character at this byte is not allowed there.
    Character(usize),
    /// The value is larger than an id can hold.
    Overflow,
    /// The text does not have this form.
    Form(&'static str),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "it is empty"),
            Self::TooLong(max) => write!(f, "it is longer than {max} bytes"),
            Self::Prefix(prefix) => write!(f, "it must begin with `{prefix}_`"),
            Self::Length(length) => write!(f, "it must have {length} characters"),
            Self::Character(at) => write!(f, "the character at byte {at} may not stand there"),
            Self::Overflow => write!(f, "its value is too large"),
            Self::Form(form) => write!(f, "it must match {form}"),
        }
    }
}
