//! The id of a tool that does not exist. Every call gets an invocation record, and the record needs a
//! `tool_id`, also if the model invented the tool.

use super::ToolId;
use crate::validate::{MAX_NAME, is_token_char};

const UNRESOLVED: &str = "unresolved:";

impl ToolId {
    /// Creates the id of a tool that was requested as `requested` and does not exist. Any text gives a
    /// valid id: characters that are not allowed are percent-encoded, and long texts are cut.
    #[must_use]
    pub fn unresolved(requested: &str) -> Self {
        let mut text = UNRESOLVED.to_owned();
        for c in requested.chars() {
            let part = if is_token_char(c) && c != '%' { c.to_string() } else { escaped(c) };
            if text.len() + part.len() > MAX_NAME {
                break;
            }
            text.push_str(&part);
        }
        Self(text.into())
    }

    /// Returns `true` for the id of a tool that does not exist. A catalog never registers such an id.
    #[must_use]
    pub fn is_unresolved(&self) -> bool {
        self.as_str().starts_with(UNRESOLVED)
    }
}

fn escaped(c: char) -> String {
    c.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("%{byte:02X}")).collect()
}
