//! Records of other producers: any JSON that a published schema admits, unknown fields included.

use serde_json::{Map, Number, Value};

use super::json::Gen;

/// Fields of ours that the schemas do not know; other producers may use the names for anything.
const EXTENSIONS: [&str; 20] = [
    "external_mappings",
    "requested_name",
    "schema_digest",
    "warnings",
    "output_hook_refs",
    "native_output_ref",
    "depends_on",
    "scheduler",
    "mutation_refs",
    "attempt",
    "retry_of",
    "result_ref",
    "supersedes",
    "inferred_facts",
    "interrupt_behavior",
    "hook_run_id",
    "input_mutations",
    "empty_result",
    "synthetic",
    "x_unknown",
];

/// A random object that fits `schema`, which is one of the published ones.
pub(crate) fn record(schema: &Value, gen_: &mut Gen) -> Value {
    let required: Vec<&str> =
        schema["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let mut fields = Map::new();
    for (name, property) in schema["properties"].as_object().unwrap() {
        if required.contains(&name.as_str()) || gen_.one_in(3) {
            fields.insert(name.clone(), value(property, gen_));
        }
    }
    for _ in 0..gen_.below(4) {
        let name = EXTENSIONS[gen_.index(EXTENSIONS.len())];
        let known = schema["properties"].get(name).is_some();
        if !known {
            let value = if gen_.one_in(3) { likely(name) } else { gen_.value(3) };
            fields.insert(name.to_owned(), value);
        }
    }
    Value::Object(fields)
}

fn value(schema: &Value, gen_: &mut Gen) -> Value {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return words[gen_.index(words.len())].clone();
    }
    match schema.get("type") {
        None => gen_.value(3),
        Some(Value::Array(_)) if gen_.one_in(2) => Value::Bool(gen_.one_in(2)),
        Some(Value::Array(_)) => Value::String(gen_.text()),
        Some(kind) => match kind.as_str().unwrap() {
            "string" => Value::String(gen_.text()),
            "boolean" => Value::Bool(gen_.one_in(2)),
            "integer" => Value::Number(integer(gen_)),
            "number" => Value::Number(Number::from_f64(gen_.below(1001) as f64 / 10.0).unwrap()),
            "object" => Value::Object(gen_.object(3)),
            "array" => (0..gen_.below(3)).map(|_| value(&schema["items"], gen_)).collect(),
            other => panic!("the published schemas do not use {other}"),
        },
    }
}

/// Zero or more: negative counts fit the schemas, mean nothing, and are refused.
fn integer(gen_: &mut Gen) -> Number {
    match gen_.below(4) {
        0 => Number::from_f64(gen_.below(1 << 40) as f64).unwrap(),
        1 => Number::from(u64::MAX),
        _ => Number::from(gen_.below(1 << 53)),
    }
}

/// What we would write ourselves.
fn likely(name: &str) -> Value {
    match name {
        "depends_on" | "mutation_refs" | "inferred_facts" | "output_hook_refs" => {
            serde_json::json!(["a", ""])
        }
        "external_mappings" => serde_json::json!([{ "source": "mcp", "jsonrpc_request_id": 1.0 }]),
        "warnings" => {
            serde_json::json!([{ "error_class": "post_hook_failed", "retry_after": null }])
        }
        "attempt" => 2.into(),
        "empty_result" | "synthetic" => true.into(),
        "scheduler" => serde_json::json!({ "is_read_only": true, "queue_state": "queued" }),
        "input_mutations" => serde_json::json!([{ "mutation_id": "m", "source_type": "hook" }]),
        _ => "cancel".into(),
    }
}
