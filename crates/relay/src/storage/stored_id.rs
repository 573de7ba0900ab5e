//! Ids in columns of tables.

use std::str::FromStr;

use assent_store::StoreError;

/// Reads an id from the column of a table.
pub(crate) fn stored<T: FromStr>(text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| StoreError::Refused("a column holds a malformed id".to_owned()))
}
