//! Reads requests. Whatever the bytes are, the outcome is a value or an error that says what is wrong, where,
//! and never repeats the value.
//!
//! * What no strict reader accepts is `MALFORMED_JSON`, with line, column and pointer.
//! * What has the wrong type, or lacks a field, is `BAD_REQUEST`, with a pointer.
//! * What breaks a rule is `VALIDATION_FAILED`, or has the code of the rule, with a pointer.
//! * Unknown fields are ignored.

mod expected;
mod fault;
mod node;
mod parameters;

use assent_json::{Document, Node, ReadError, ReadErrorKind};
use assent_protocol::a2h::{ApiCode, ApiError};
use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;

use self::{fault::Fault, node::NodeReader, parameters::ParametersReader};

/// The largest whole number that is read, in bodies, paths and queries.
///
/// 2^53 - 1: beyond it the canonical text of a double need not be the integer that was meant, so that such a
/// number is no count, no version and no place in a sequence.
pub const MAX_INTEGER: u64 = (1 << 53) - 1;

/// Reads the body of a request.
///
/// # Errors
/// If it is no JSON, not of this type, or breaks a rule.
pub fn read_body<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    read_node(read_document(bytes)?.root())
}

/// Reads JSON strictly, without asking yet what it should be.
pub(crate) fn read_document(bytes: &[u8]) -> Result<Document<'_>, ApiError> {
    assent_json::read(bytes).map_err(|error| malformed(&error))
}

/// Reads a value of a document.
pub(crate) fn read_node<T: DeserializeOwned>(node: Node<'_>) -> Result<T, ApiError> {
    T::deserialize(NodeReader::new(node)).map_err(Fault::into_error)
}

/// Reads the body of a request that may have none: no bytes are the same as `{}`.
///
/// # Errors
/// As for [`read_body`].
pub fn read_optional_body<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    read_body(if bytes.is_empty() { b"{}" } else { bytes })
}

/// Reads the parameters of a path, as the router found them: names and percent-decoded values.
///
/// # Errors
/// `BAD_REQUEST` if a value cannot be what it should be: no such thing can exist.
pub fn read_path<'p, T: DeserializeOwned>(
    parameters: impl IntoIterator<Item = (&'p str, &'p str)>,
) -> Result<T, ApiError> {
    let pairs = parameters.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
    T::deserialize(ParametersReader::new(pairs))
        .map_err(|fault| fault.with_code(ApiCode::BadRequest).into_error())
}

/// Reads the query of a request, without its question mark. An empty value is the same as none; a name that
/// stands twice is refused, because readers disagree about which one counts.
///
/// # Errors
/// If a value is not of its type, or breaks a rule.
pub fn read_query<T: DeserializeOwned>(query: &str) -> Result<T, ApiError> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for part in query.split('&').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let name = decoded(name).ok_or_else(|| not_utf8(""))?;
        let value = decoded(value).ok_or_else(|| not_utf8(&name))?;
        if pairs.iter().any(|(earlier, _)| *earlier == name) {
            let message = "this parameter stands twice in the query";
            return Err(Fault::at(ApiCode::BadRequest, &name, message).into_error());
        }
        if !value.is_empty() {
            pairs.push((name, value));
        }
    }
    T::deserialize(ParametersReader::new(pairs)).map_err(Fault::into_error)
}

fn decoded(text: &str) -> Option<String> {
    let text = text.replace('+', " ");
    percent_decode_str(&text).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

fn not_utf8(name: &str) -> ApiError {
    Fault::at(ApiCode::BadRequest, name, "the query is not UTF-8").into_error()
}

fn malformed(error: &ReadError) -> ApiError {
    let ReadError { kind, position, .. } = error;
    let text = match kind {
        ReadErrorKind::DuplicateKey(_) => format!("a key occurs twice in one object at {position}"),
        kind => format!("{kind} at {position}"),
    };
    ApiError::new(ApiCode::MalformedJson, format!("the body is not JSON: {text}"))
        .at(error.pointer.as_str())
        .with("line", error.position.line)
        .with("column", error.position.column)
}
