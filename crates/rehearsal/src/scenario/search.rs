//! What is searched in the catalog before the calls.

use std::num::NonZeroU32;

/// A query: words, or `select:NAME[,NAME]`, which loads.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// What is asked for.
    pub query: String,
    /// How many matches are wanted.
    pub limit: Option<NonZeroU32>,
}
