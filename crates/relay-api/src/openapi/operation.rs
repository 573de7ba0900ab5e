//! One operation of the document.

use serde_json::{Value, json};

use super::{components::Components, parameters, responses, security};
use crate::Described;

pub(super) fn operation(described: &Described, components: &mut Components) -> Value {
    let mut operation = json!({
        "operationId": described.id,
        "tags": [described.tag.name()],
        "summary": described.summary,
        "description": description(described),
        "security": security::requirements(described.access.credential),
        "responses": responses::responses(described, components),
    });
    let parameters = parameters::parameters(described, &mut components.schemas);
    if let Value::Object(fields) = &mut operation {
        if !parameters.is_empty() {
            fields.insert("parameters".to_owned(), parameters.into());
        }
        if let Some(schema) = described.body_schema(&mut components.schemas) {
            let example: Option<Value> = serde_json::from_str(described.example).ok();
            let body = json!({
                "required": !described.body_optional,
                "content": { "application/json": { "schema": schema, "example": example } },
            });
            fields.insert("requestBody".to_owned(), body);
        }
    }
    operation
}

/// What it does, who may call it, and whether it may be repeated.
fn description(described: &Described) -> String {
    let mut parts = Vec::new();
    if !described.description.is_empty() {
        parts.push(described.description.to_owned());
    }
    parts.push(format!("Who may call: {}.", described.access.in_words()));
    if described.takes_body() {
        parts.push(format!("The body has at most {} bytes.", described.body_limit));
    }
    if described.idempotent && described.method != http::Method::GET {
        parts.push("Sending it again does no harm.".to_owned());
    }
    parts.join("\n\n")
}
