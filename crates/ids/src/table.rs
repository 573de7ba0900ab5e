//! Tables that are looked up by key only.

#[expect(
    clippy::disallowed_types,
    reason = "the order of a table must not show, so it has a name"
)]
use std::collections::HashMap;

/// A table of ids or names. Its order is random: sort what an iteration returns.
#[expect(clippy::disallowed_types, reason = "the order of a table must not show, so it has a name")]
pub type Table<Key, Value> = HashMap<Key, Value>;
