//! JSON Schemas of ids, one for every function of `validate`. A schema may admit more texts than the
//! function, never fewer.

use schemars::{Schema, json_schema};

/// Adds the documentation of the type to a schema.
pub(crate) fn described(mut schema: Schema, description: &str) -> Schema {
    schema.insert("description".to_owned(), description.trim().into());
    schema
}

/// See [`crate::validate::prefixed`]; the first character of a ULID holds only three bits.
pub(crate) fn prefixed(prefix: &str) -> Schema {
    let pattern = format!("^{prefix}_[0-7][0-9A-HJKMNP-TV-Z]{{25}}$");
    json_schema!({ "type": "string", "pattern": pattern })
}

/// See [`crate::validate::token`].
pub(crate) fn token() -> Schema {
    bounded(r"^\S+$")
}

/// See [`crate::validate::ascii_name`].
pub(crate) fn ascii_name() -> Schema {
    bounded("^[A-Za-z0-9_./:-]+$")
}

/// See [`crate::validate::tool_name`].
pub(crate) fn tool_name() -> Schema {
    json_schema!({ "type": "string", "pattern": "^[a-z][a-z0-9_]{1,31}$" })
}

/// See [`crate::validate::scope_id`].
pub(crate) fn scope_id() -> Schema {
    bounded("^[a-z][a-z0-9_]*:[a-z][a-z0-9_]*$")
}

/// See [`crate::validate::dotted`].
pub(crate) fn dotted() -> Schema {
    bounded("^[A-Za-z0-9_-]+([.][A-Za-z0-9_-]+)*$")
}

/// See [`crate::validate::sha256_hex`].
pub(crate) fn sha256_hex() -> Schema {
    json_schema!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
}

fn bounded(pattern: &str) -> Schema {
    json_schema!({
        "type": "string",
        "minLength": 1,
        "maxLength": crate::validate::MAX_NAME,
        "pattern": pattern,
    })
}
