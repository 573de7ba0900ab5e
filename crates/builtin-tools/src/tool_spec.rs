//! The table of the tools.

use assent_protocol::a2h::{ManifestTool, Sensitivity};
use assent_schema::{Difference, compare};
use serde_json::{Value, json};

/// What a built-in tool is called, needs and takes.
#[derive(Debug)]
pub struct ToolSpec {
    /// The name.
    pub name: &'static str,
    /// Other names under which agents declare it.
    pub aliases: &'static [&'static str],
    /// The id of the scope that it needs.
    pub scope: &'static str,
    /// How sensitive it is at least, whatever a manifest says.
    pub sensitivity: Sensitivity,
    schema: fn() -> Value,
}

/// The built-in tools.
pub static TOOLS: [ToolSpec; 5] = [
    ToolSpec {
        name: "read_file",
        aliases: &[],
        scope: "filesystem:read",
        sensitivity: Sensitivity::Medium,
        schema: read_file,
    },
    ToolSpec {
        name: "fetch_url",
        aliases: &["fetch_web_page"],
        scope: "network:http",
        sensitivity: Sensitivity::Medium,
        schema: fetch_url,
    },
    ToolSpec {
        name: "send_notification",
        aliases: &["notify"],
        scope: "notification:send",
        sensitivity: Sensitivity::Low,
        schema: send_notification,
    },
    ToolSpec {
        name: "read_clipboard",
        aliases: &[],
        scope: "clipboard:read",
        sensitivity: Sensitivity::Medium,
        schema: read_clipboard,
    },
    ToolSpec {
        name: "get_location",
        aliases: &["read_location"],
        scope: "location:read",
        sensitivity: Sensitivity::High,
        schema: get_location,
    },
];

/// The built-in tool that serves a declared tool without asking the person who is to serve it.
#[must_use]
pub fn serving(declared: &ManifestTool) -> Option<&'static ToolSpec> {
    TOOLS.iter().find(|tool| tool.serves(declared))
}

impl ToolSpec {
    /// The JSON Schema of the arguments. Lengths and places are not in it; they are checked by the tool.
    #[must_use]
    pub fn input_schema(&self) -> Value {
        (self.schema)()
    }

    /// Whether the tool serves a declared tool: one of its names, the same scope, and every input that the
    /// declared schema accepts is accepted. If that cannot be proved, it does not.
    #[must_use]
    pub fn serves(&self, declared: &ManifestTool) -> bool {
        let name = declared.name.as_str();
        (name == self.name || self.aliases.contains(&name))
            && declared.permission_scope.as_str() == self.scope
            && compare(&declared.input_schema, &self.input_schema())
                .is_ok_and(|comparison| comparison.lost == Difference::Nothing)
    }
}

fn object(properties: &Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn read_file() -> Value {
    let properties = json!({
        "path": {"type": "string"},
        "encoding": {"enum": ["utf-8", "latin-1", "base64"]},
        "offset": {"type": "integer"},
        "length": {"type": "integer"},
    });
    object(&properties, &["path"])
}

fn fetch_url() -> Value {
    let headers = json!({
        "accept": {"type": "string"},
        "accept-language": {"type": "string"},
        "content-type": {"type": "string"},
    });
    let properties = json!({
        "url": {"type": "string"},
        "method": {"enum": ["GET", "POST"]},
        "headers": object(&headers, &[]),
        "body": {"type": "string"},
    });
    object(&properties, &["url"])
}

fn send_notification() -> Value {
    let properties = json!({"title": {"type": "string"}, "body": {"type": "string"}});
    object(&properties, &["title"])
}

fn read_clipboard() -> Value {
    object(&json!({}), &[])
}

fn get_location() -> Value {
    object(&json!({"accuracy": {"enum": ["coarse", "precise"]}}), &[])
}
