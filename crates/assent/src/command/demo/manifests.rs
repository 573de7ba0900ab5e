//! What the agent of the demo declares, in two versions.

use serde_json::{Map, Value, json};

/// The first manifest.
pub(super) fn first() -> Map<String, Value> {
    manifest("1.0.0", &["path"])
}

/// The second one: files are read with an encoding. That is breaking, because calls without one no longer fit.
pub(super) fn second() -> Map<String, Value> {
    manifest("2.0.0", &["path", "encoding"])
}

fn manifest(version: &str, required: &[&str]) -> Map<String, Value> {
    let mut manifest = Map::new();
    manifest.insert("schema_version".to_owned(), "1.0".into());
    manifest.insert("agent_version".to_owned(), version.into());
    manifest.insert("tools".to_owned(), tools(required));
    manifest.insert("permission_scopes".to_owned(), scopes());
    manifest.insert("capability_flags".to_owned(), json!({}));
    manifest
}

fn tools(required: &[&str]) -> Value {
    json!([
        tool(
            "send_notification",
            "notification:send",
            "Show a message on your device",
            &json!({
                "type": "object",
                "properties": { "title": { "type": "string" }, "body": { "type": "string" } },
                "required": ["title"],
                "additionalProperties": false,
            })
        ),
        tool(
            "read_file",
            "filesystem:read",
            "Read a file in a folder that you choose",
            &json!({
                "type": "object",
                "properties": {
                    "path": { "type": "string" },
                    "encoding": { "enum": ["utf-8", "base64"] },
                },
                "required": required,
                "additionalProperties": false,
            })
        ),
        tool(
            "fetch_url",
            "network:http",
            "Fetch a page from your device",
            &json!({
                "type": "object",
                "properties": { "url": { "type": "string" } },
                "required": ["url"],
                "additionalProperties": false,
            })
        ),
        tool(
            "get_location",
            "location:read",
            "Read where your device is",
            &json!({
                "type": "object",
                "properties": { "accuracy": { "enum": ["coarse", "precise"] } },
                "additionalProperties": false,
            })
        ),
    ])
}

fn tool(name: &str, scope: &str, description: &str, schema: &Value) -> Value {
    json!({
        "name": name,
        "description_i18n_key": format!("agent.helper.{name}"),
        "description_fallback": description,
        "input_schema": schema,
        "permission_scope": scope,
    })
}

fn scopes() -> Value {
    let scope = |id: &str, sensitivity: &str| {
        json!({
            "id": id,
            "label_i18n_key": format!("scope.{id}.label"),
            "sensitivity": sensitivity,
        })
    };
    json!([
        scope("notification:send", "low"),
        scope("filesystem:read", "medium"),
        scope("network:http", "medium"),
        scope("location:read", "high"),
    ])
}
