//! Whole numbers of the document: as large as every reader of JSON can tell them apart.

use schemars::Schema;
use serde_json::Value;

use crate::read::MAX_INTEGER;

/// Gives a whole number its largest value, if it has none of its own.
pub(super) fn bounded(schema: &mut Schema) {
    let is_integer = match schema.get("type") {
        Some(Value::String(name)) => name == "integer",
        Some(Value::Array(names)) => names.iter().any(|name| name == "integer"),
        _ => false,
    };
    if is_integer && schema.get("maximum").is_none() {
        schema.insert("maximum".to_owned(), MAX_INTEGER.into());
    }
}
