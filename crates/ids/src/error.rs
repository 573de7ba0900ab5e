//! Why a text is no id.

use std::fmt;

/// How much of a refused text an error repeats: enough to recognise it, too little to flood a log.
const SHOWN_CHARS: usize = 80;

/// A text that is not the id or name it was read as.
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

    /// What the text was read as, in words.
    #[must_use]
    pub fn what(&self) -> &'static str {
        self.what
    }

    /// What is wrong with it.
    #[must_use]
    pub fn fault(&self) -> Fault {
        self.fault
    }
}

/// What is wrong with a text that should be an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Nothing is there.
    Empty,
    /// It has more than this many bytes.
    TooLong(usize),
    /// It does not begin with this.
    Prefix(&'static str),
    /// It has not exactly this many characters (after the prefix, if there is one).
    Length(usize),
    /// A character at this byte may not stand there.
    Character(usize),
    /// The value is larger than an id can hold.
    Overflow,
    /// It does not have this form.
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
