//! What a search finds.

use crate::Field;

/// A tool that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The key under which the tool was inserted.
    pub key: u32,
    /// How well it fits; comparable within one answer only.
    pub score: f32,
    /// Why it was found: in the order of the query, then of the fields. Empty only for a tool that is about
    /// what the query is about and has none of its words.
    pub reasons: Vec<Reason>,
    /// How much it is about what the query is about, at most 1; nothing if nobody can tell.
    pub likeness: Option<f32>,
}

/// A word of the query that was found in a field of the tool.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// Where it was found.
    pub field: Field,
    /// The word as the query has it, in lower case and without accents. The field may have another
    /// form of it.
    pub term: String,
}
