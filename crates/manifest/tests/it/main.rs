//! Manifests: what is accepted, what is refused, and what a change means.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::string_slice,
    clippy::too_many_lines,
    reason = "a test that cannot go on should stop loudly"
)]

mod codes;
mod diff_properties;
mod diff_table;
mod equal_schemas;
mod hidden;
mod hostile;
mod key_order;
mod limits;
mod pages;
mod random_manifests;

use serde_json::{Value, json};

/// A valid manifest with one tool.
fn manifest() -> Value {
    json!({
        "schema_version": "1.0",
        "agent_version": "1.0.0",
        "tools": [tool("read_file")],
        "permission_scopes": [scope("filesystem:read", "medium")],
        "capability_flags": {"supports_streaming": true, "supports_voice": false}
    })
}

fn tool(name: &str) -> Value {
    json!({
        "name": name,
        "description_i18n_key": format!("agent.cap.{name}.description"),
        "input_schema": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "mode": {"enum": ["r", "w"]}},
            "required": ["path"],
            "additionalProperties": false
        },
        "permission_scope": "filesystem:read",
        "timeout_ms": 5000
    })
}

fn scope(id: &str, sensitivity: &str) -> Value {
    json!({
        "id": id,
        "label_i18n_key": format!("agent.scope.{id}.label"),
        "label_fallback": format!("Label of {id}"),
        "description_fallback": format!("Description of {id}"),
        "sensitivity": sensitivity
    })
}

/// The manifest with `value` at `pointer`, or without what is there.
fn edited(pointer: &str, value: Option<Value>) -> Value {
    let mut manifest = manifest();
    edit(&mut manifest, pointer, value);
    manifest
}

fn edit(document: &mut Value, pointer: &str, value: Option<Value>) {
    let (parent, last) = pointer.rsplit_once('/').unwrap();
    match (document.pointer_mut(parent).unwrap(), value) {
        (Value::Object(members), Some(value)) => {
            members.insert(last.to_owned(), value);
        }
        (Value::Object(members), None) => {
            members.remove(last).unwrap();
        }
        (Value::Array(elements), Some(value)) if last == "-" => elements.push(value),
        (Value::Array(elements), Some(value)) => elements[last.parse::<usize>().unwrap()] = value,
        (Value::Array(elements), None) => {
            elements.remove(last.parse().unwrap());
        }
        _ => panic!("nothing to edit at {pointer}"),
    }
}
