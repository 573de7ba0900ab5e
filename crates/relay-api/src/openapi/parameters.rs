//! Parameters of the document: in the path, in the query and in headers.

use assent_protocol::wire::never_null;
use schemars::{
    Schema, SchemaGenerator,
    transform::{RecursiveTransform, Transform as _},
};
use serde_json::{Value, json};

use super::numbers::bounded;
use crate::Described;

pub(super) fn parameters(described: &Described, generator: &mut SchemaGenerator) -> Vec<Value> {
    let mut parameters = Vec::new();
    if let Some(schema) = described.path_schema(generator) {
        parameters.extend(spread("path", schema));
    }
    if let Some(schema) = described.query_schema(generator) {
        parameters.extend(spread("query", schema));
    }
    parameters.extend(described.request_headers.iter().map(|header| {
        json!({
            "name": header.name,
            "in": "header",
            "required": false,
            "description": header.description,
            "schema": { "type": "string", "pattern": header.pattern, "minLength": 1 },
        })
    }));
    parameters
}

/// A parameter for every property of the schema.
fn spread(place: &str, mut schema: Schema) -> Vec<Value> {
    // No text in a path or a query means `null`.
    never_null(&mut schema);
    RecursiveTransform(bounded).transform(&mut schema);
    let Some(Value::Object(properties)) = schema.get("properties") else { return Vec::new() };
    properties.iter().map(|(name, schema)| parameter(place, name, schema)).collect()
}

fn parameter(place: &str, name: &str, schema: &Value) -> Value {
    let mut schema = schema.clone();
    let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
    let mut parameter = json!({
        "name": name,
        "in": place,
        "required": place == "path",
        "description": description,
        "schema": schema,
    });
    if let (Value::Object(fields), "query") = (&mut parameter, place) {
        // It is the same as none; see `read_query`.
        fields.insert("allowEmptyValue".to_owned(), true.into());
    }
    parameter
}
