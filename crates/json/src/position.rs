//! Lines and columns of a text.

use std::fmt;

/// A place in a text as people count it: both numbers start at 1, columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

impl Position {
    /// The place of the byte `offset` in `text`, which need not be valid UTF-8.
    #[must_use]
    pub fn of(text: &[u8], offset: usize) -> Self {
        let before = text.get(..offset.min(text.len())).unwrap_or_default();
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let in_line = before.get(line_start..).unwrap_or_default();
        // Continuation bytes are not characters of their own.
        let column = in_line.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() + 1;
        Self { line, column }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}
