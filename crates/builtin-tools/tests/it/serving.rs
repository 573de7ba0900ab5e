//! Which declared tools the built-in tools serve.

use assent_builtin_tools::{TOOLS, serving};
use assent_ids::I18nKey;
use assent_protocol::a2h::{ManifestTool, Sensitivity};
use assent_schema::InputSchema;
use serde_json::{Value, json};

fn declared(name: &str, scope: &str, schema: Value) -> ManifestTool {
    let key: I18nKey = "agent.tools.description".parse().unwrap();
    ManifestTool::new(name.parse().unwrap(), key, schema, scope.parse().unwrap())
}

fn served(name: &str, scope: &str, schema: Value) -> Option<&'static str> {
    serving(&declared(name, scope, schema)).map(|tool| tool.name)
}

#[test]
fn every_tool_serves_its_names_with_its_own_schema_and_scope() {
    for tool in &TOOLS {
        assert!(InputSchema::compile(&tool.input_schema()).is_ok());
        for name in tool.aliases.iter().chain([&tool.name]) {
            assert_eq!(served(name, tool.scope, tool.input_schema()), Some(tool.name));
            assert_eq!(served(name, "contacts:read", tool.input_schema()), None);
        }
        assert_eq!(served("other", tool.scope, tool.input_schema()), None);
    }
    let table: Vec<_> =
        TOOLS.iter().map(|tool| (tool.name, tool.scope, tool.sensitivity)).collect();
    let expected = [
        ("read_file", "filesystem:read", Sensitivity::Medium),
        ("fetch_url", "network:http", Sensitivity::Medium),
        ("send_notification", "notification:send", Sensitivity::Low),
        ("read_clipboard", "clipboard:read", Sensitivity::Medium),
        ("get_location", "location:read", Sensitivity::High),
    ];
    assert_eq!(table, expected);
}

fn closed(properties: Value, required: Value) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

#[test]
fn a_declared_schema_may_be_narrower_and_not_wider() {
    let url = json!({"type": "string", "format": "uri"});
    let method = json!({"enum": ["GET", "POST"], "default": "GET"});
    let page = closed(json!({"url": url, "method": method}), json!(["url"]));
    assert_eq!(served("fetch_web_page", "network:http", page.clone()), Some("fetch_url"));
    assert_eq!(served("fetch_url", "network:http", page), Some("fetch_url"));

    let path = json!({"type": "string"});
    let encoding = json!({"enum": ["utf-8"]});
    for (schema, expected) in [
        (closed(json!({"path": path}), json!(["path"])), true),
        (closed(json!({"path": path, "encoding": encoding}), json!(["path", "encoding"])), true),
        (closed(json!({"path": {"type": "string", "maxLength": 9}}), json!(["path"])), true),
        (closed(json!({"path": path}), json!([])), false),
        (closed(json!({"path": {"type": ["string", "null"]}}), json!(["path"])), false),
        (closed(json!({"path": path, "mode": path}), json!(["path"])), false),
        (closed(json!({"path": path, "encoding": path}), json!(["path"])), false),
        (json!({"type": "object", "properties": {"path": path}, "required": ["path"]}), false),
        (json!({"type": "nonsense"}), false),
    ] {
        let served = served("read_file", "filesystem:read", schema.clone());
        assert_eq!(served, expected.then_some("read_file"), "{schema}");
    }
}
