//! Hits of a search.

use crate::Field;

/// A tool that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The key under which the tool was inserted.
    pub key: u32,
    /// The score, comparable only within one answer.
    pub score: f32,
    /// The matched words, in the order of the query and then of the fields.
    pub reasons: Vec<Reason>,
}

/// A word of the query that was found in a field of the tool.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// The field that contains the word.
    pub field: Field,
    /// The word of the query, in lower case and without accents. The field may contain another form of it.
    pub term: String,
}
