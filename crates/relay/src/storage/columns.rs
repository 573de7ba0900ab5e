//! What columns of tables hold as text.

use assent_store::StoreError;
use serde::{Serialize, de::DeserializeOwned};

/// Reads a column of JSON.
pub(crate) fn json<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|_| malformed())
}

/// Writes a column of JSON.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|_| malformed())
}

fn malformed() -> StoreError {
    StoreError::Refused("a column holds malformed JSON".to_owned())
}
