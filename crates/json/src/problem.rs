//! Problems of documents.

use std::fmt;

/// A problem of a document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problem {
    /// The value, as a JSON Pointer; empty for the whole document.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong and what to do, in a sentence.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, column, message } = self;
        if !path.is_empty() {
            write!(f, "{path} ")?;
        }
        write!(f, "({line}:{column}): {message}")
    }
}
