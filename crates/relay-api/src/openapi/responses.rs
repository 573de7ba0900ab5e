//! Responses of the document: every status with its schema, and every code that can come with it.

use std::collections::BTreeMap;

use assent_protocol::a2h::{ApiCode, ApiError};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::components::{Components, reference};
use crate::Described;

pub(super) fn responses(described: &Described, components: &mut Components) -> Value {
    let mut responses = Map::new();
    let (content, headers) = (content(described, &mut components.schemas), headers_of(described));
    let again = described.extra_success.iter().copied();
    for (status, meaning) in again.chain([(described.success, described.summary)]) {
        let response = response(meaning, content.clone(), headers.clone());
        responses.insert(status.to_string(), response);
    }
    for (status, codes) in by_status(&described.errors()) {
        responses.insert(status.to_string(), components.failure(&codes));
    }
    responses.into()
}

fn response(description: &str, content: Map<String, Value>, headers: Map<String, Value>) -> Value {
    let mut response = Map::new();
    response.insert("description".to_owned(), description.into());
    for (name, part) in [("content", content), ("headers", headers)] {
        if !part.is_empty() {
            response.insert(name.to_owned(), part.into());
        }
    }
    response.into()
}

fn content(described: &Described, generator: &mut SchemaGenerator) -> Map<String, Value> {
    let schema = described.reply_schema(generator);
    let content = schema.zip(described.shape.media_type());
    content
        .map(|(schema, media_type)| (media_type.to_owned(), json!({ "schema": schema })))
        .into_iter()
        .collect()
}

fn headers_of(described: &Described) -> Map<String, Value> {
    let own = described.response_headers.iter().map(|header| {
        let schema = json!({ "type": "string", "pattern": header.pattern });
        let value = json!({ "description": header.description, "schema": schema });
        (header.name.to_owned(), value)
    });
    let cookie =
        described.sets_cookie.then(|| ("Set-Cookie".to_owned(), reference("headers/Cookie")));
    own.chain(cookie).collect()
}

fn by_status(codes: &[ApiCode]) -> BTreeMap<u16, Vec<ApiCode>> {
    let mut by_status = BTreeMap::<u16, Vec<ApiCode>>::new();
    for code in codes {
        by_status.entry(code.http_status()).or_default().push(*code);
    }
    by_status
}

/// The response of a status, with all codes that it can have.
pub(super) fn failure(codes: &[ApiCode], schema: &Schema) -> Value {
    let meanings: Vec<String> =
        codes.iter().map(|code| format!("- `{code}`: {}", code.meaning())).collect();
    let examples: Map<String, Value> = codes
        .iter()
        .map(|code| (code.to_string(), reference(&format!("examples/{code}"))))
        .collect();
    let content = json!({ "schema": schema, "examples": examples });
    let content = Map::from_iter([("application/json".to_owned(), content)]);
    let when = codes.iter().any(|code| says_when(*code));
    let headers = when.then(|| ("Retry-After".to_owned(), reference("headers/RetryAfter")));
    response(&meanings.join("\n"), content, headers.into_iter().collect())
}

/// Whether an answer with the code may say when to try again.
fn says_when(code: ApiCode) -> bool {
    matches!(code.http_status(), 423 | 429 | 503)
}

/// An answer with the code.
pub(super) fn example(code: ApiCode) -> Value {
    let mut error = ApiError::new(code, code.meaning());
    if matches!(code, ApiCode::BadRequest | ApiCode::ValidationFailed) {
        error = error.at("/email");
    }
    if matches!(code.http_status(), 423 | 429) {
        error = error.retry_after(30);
    }
    json!({ "summary": code.meaning(), "value": error.envelope() })
}

/// Headers that several responses have.
pub(super) fn headers() -> Value {
    json!({
        "RetryAfter": {
            "description": "After how many seconds to try again.",
            "schema": { "type": "integer", "minimum": 0 },
        },
        "Cookie": {
            "description": "The refresh token: `refresh_token=…; HttpOnly; SameSite=Strict; Path=/auth; \
                            Max-Age=2592000`, and `Secure` unless the server is on loopback.",
            "schema": { "type": "string" },
        },
    })
}
