//! Parsers from the text of each format to the common tree.

mod json;
mod toml;
mod yaml;
mod yaml_scalar;

use serde_json::Value;

use crate::tree::Data;

pub(crate) use self::{json::parse as json, toml::parse as toml, yaml::parse as yaml};

/// Reads a number in the notation of JSON, so that numbers mean the same in every format and the same
/// ones are refused.
fn number(literal: &str) -> Result<Data, String> {
    let document = assent_json::read(literal.as_bytes()).map_err(|error| error.kind.to_string())?;
    match document.root().to_value() {
        Value::Number(number) => Ok(Data::Number(number)),
        _ => Err("this is not a number".to_owned()),
    }
}
