//! The arguments of a call on the command line.

use std::path::Path;

use assent_json::Json;
use serde_json::Value;

use super::Failure;
use crate::input::{self, Input};

/// Reads the arguments of a call: JSON, `@FILE`, or `-` for standard input. Without any they are an empty object.
pub(super) fn read(word: Option<&str>) -> Result<Value, Failure> {
    let input = match word {
        None => return Ok(Value::Object(serde_json::Map::new())),
        Some("-") => read_file(Path::new("-"))?,
        Some(text) => match text.strip_prefix('@') {
            Some(path) => read_file(Path::new(path))?,
            None => Input { name: "the arguments".to_owned(), bytes: text.as_bytes().to_vec() },
        },
    };
    let text = String::from_utf8(input.bytes)
        .map_err(|_| Failure::WrongUse(format!("{} is not UTF-8", input.name)))?;
    let json = Json::read(text)
        .map_err(|error| Failure::WrongUse(format!("{} is not JSON: {error}", input.name)))?;
    match json.to_value() {
        value @ Value::Object(_) => Ok(value),
        _ => {
            let message =
                format!("{} must be a JSON object, such as `{{\"path\": …}}`", input.name);
            Err(Failure::WrongUse(message))
        }
    }
}

fn read_file(path: &Path) -> Result<Input, Failure> {
    input::read(path).map_err(|error| Failure::Unreadable(error.message))
}
