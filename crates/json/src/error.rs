//! Errors of the reader.

use std::fmt;

use crate::{Pointer, Position};

/// A text that is not a JSON document in the strict sense of this crate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind} at {position}")]
pub struct ReadError {
    /// The reason.
    pub kind: ReadErrorKind,
    /// The offset in the text, in bytes.
    pub offset: usize,
    /// The offset as a line and a column.
    pub position: Position,
    /// The value in which reading stopped.
    pub pointer: Pointer,
}

/// The reasons why a text is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The text does not follow the grammar.
    Expected(&'static str),
    /// The text ends inside a value.
    UnexpectedEnd,
    /// The bytes are not UTF-8.
    InvalidUtf8,
    /// The text starts with a byte order mark.
    ByteOrderMark,
    /// Something follows the document.
    TrailingBytes,
    /// A string contains a control character without an escape.
    ControlCharacter,
    /// A backslash does not begin a valid escape.
    BadEscape,
    /// An object has two members of this name.
    DuplicateKey(String),
    /// A string contains half of a surrogate pair.
    LoneSurrogate,
    /// A number lies outside the range of IEEE 754 doubles.
    NumberOutOfRange,
    /// An integer that no IEEE 754 double represents.
    IntegerNotExact,
    /// Arrays and objects are nested too deep.
    TooDeep,
    /// The text is longer than [`crate::MAX_DOCUMENT_BYTES`].
    TooLarge,
}

impl ReadErrorKind {
    /// Returns `true` if the text is grammatical JSON that has no canonical form.
    #[must_use]
    pub fn is_about_meaning(&self) -> bool {
        matches!(
            self,
            Self::LoneSurrogate
                | Self::NumberOutOfRange
                | Self::IntegerNotExact
                | Self::TooDeep
                | Self::TooLarge
        )
    }
}

impl fmt::Display for ReadErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::UnexpectedEnd => f.write_str("the text ends in the middle of a value"),
            Self::InvalidUtf8 => f.write_str("the bytes are not valid UTF-8"),
            Self::ByteOrderMark => {
                f.write_str("the text starts with a byte order mark, which JSON does not allow")
            }
            Self::TrailingBytes => f.write_str("nothing may follow the document"),
            Self::ControlCharacter => f.write_str(
                "a control character must be escaped inside a string (for example `\\n`)",
            ),
            Self::BadEscape => f.write_str("this is not an escape that JSON knows"),
            Self::DuplicateKey(key) => {
                write!(f, "the key `{}` occurs twice in one object", key.escape_debug())
            }
            Self::LoneSurrogate => {
                f.write_str("half of a surrogate pair does not stand for a character")
            }
            Self::NumberOutOfRange => {
                f.write_str("the number lies outside the range of IEEE 754 doubles")
            }
            Self::IntegerNotExact => f.write_str(
                "no IEEE 754 double represents this integer, so readers would disagree about it",
            ),
            Self::TooDeep => {
                write!(f, "arrays and objects are nested deeper than {}", crate::MAX_DEPTH)
            }
            Self::TooLarge => {
                write!(f, "the text is longer than {} bytes", crate::MAX_DOCUMENT_BYTES)
            }
        }
    }
}
