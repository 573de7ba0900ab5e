//! The envelope of every successful answer of the HTTP interface.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing: `{"data":…}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DataEnvelope<T> {
    /// The thing.
    pub data: T,
}

/// Some of many things: `{"data":[…],"next_cursor":…}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PageOf{T}")]
pub struct Page<T> {
    /// The things.
    pub data: Vec<T>,
    /// Where to go on; `null` at the end.
    #[serde(default)]
    pub next_cursor: Option<String>,
}
