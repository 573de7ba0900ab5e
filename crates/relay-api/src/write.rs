//! Writes requests: the other side of [`crate::read`].

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde_json::Value;

use crate::Operation;

/// What stands for itself in a path or a query (RFC 3986, unreserved).
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Why there is no request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A parameter has no text.
    #[error("the parameter `{0}` cannot be written into a path or a query")]
    Parameter(String),
    /// The body has no JSON.
    #[error("the body cannot be written as JSON")]
    Body,
}

/// The path and the query of a request, from its first slash on.
///
/// # Errors
/// If a parameter is missing, or is neither a text nor a number nor a truth value.
pub fn write_target<O: Operation>(path: &O::Path, query: &O::Query) -> Result<String, WriteError> {
    let mut target = write_path(O::PATH, &fields(path)?)?;
    for (index, (name, value)) in pairs(fields(query)?)?.into_iter().enumerate() {
        target.push(if index == 0 { '?' } else { '&' });
        target.push_str(&format!("{}={}", encoded(&name), encoded(&value)));
    }
    Ok(target)
}

/// The body of a request; `None` if the operation has none.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn write_body<O: Operation>(body: &O::Body) -> Result<Option<Vec<u8>>, WriteError> {
    let text = serde_json::to_vec(body).map_err(|_| WriteError::Body)?;
    // `()` is written as `null`, and no operation takes `null`.
    Ok((text != b"null").then_some(text))
}

/// The fields of parameters, in their order; none for `()`.
fn fields(parameters: &impl Serialize) -> Result<Vec<(String, Value)>, WriteError> {
    match serde_json::to_value(parameters) {
        Ok(Value::Object(fields)) => Ok(fields.into_iter().collect()),
        Ok(Value::Null) => Ok(Vec::new()),
        Ok(_) | Err(_) => Err(WriteError::Parameter("*".to_owned())),
    }
}

fn pairs(fields: Vec<(String, Value)>) -> Result<Vec<(String, String)>, WriteError> {
    let given = fields.into_iter().filter(|(_, value)| !value.is_null());
    given
        .map(|(name, value)| match text(&value) {
            Some(text) => Ok((name, text)),
            None => Err(WriteError::Parameter(name)),
        })
        .collect()
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn write_path(template: &str, fields: &[(String, Value)]) -> Result<String, WriteError> {
    let mut parts = template.split('{');
    let mut path = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').unwrap_or((part, ""));
        let value =
            fields.iter().find(|(field, _)| field == name).and_then(|(_, value)| text(value));
        let value = value.ok_or_else(|| WriteError::Parameter(name.to_owned()))?;
        path.push_str(&encoded(&value));
        path.push_str(rest);
    }
    Ok(path)
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}
