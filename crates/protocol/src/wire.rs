//! What records are made of: open vocabularies, loosely shaped values, whole numbers, times.
//!
//! Reading is lenient where a published schema is, and nothing that was read gets lost on writing.

mod loose;
mod number;
mod open;
mod percent;
mod present;
mod schema;
mod timestamp;
mod word;

use std::collections::BTreeMap;

pub use loose::Loose;
pub use number::{Count, Millis};
pub use open::{Open, Unlisted};
pub use percent::Percent;
pub(crate) use present::present;
pub use schema::{never_null, vocabulary_schema};
pub use timestamp::{NotRfc3339, Timestamp};
pub(crate) use word::words;
pub use word::{UnknownWord, Word};

/// A JSON object without a fixed set of fields.
pub type Object = BTreeMap<String, serde_json::Value>;
