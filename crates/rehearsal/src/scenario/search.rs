//! Searches in the catalog.

use std::num::NonZeroU32;

/// A query: words, or `select:NAME[,NAME]`, which loads.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// The query.
    pub query: String,
    /// The most hits.
    pub limit: Option<NonZeroU32>,
}
