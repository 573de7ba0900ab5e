//! What a search finds.

use crate::Field;

/// A tool that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The key under which the tool was inserted.
    pub key: u32,
    /// How well it fits; comparable within one answer only.
    pub score: f32,
    /// Why it was found: in the order of the query, then of the fields.
    pub reasons: Vec<Reason>,
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
