//! The content of messages of people.

use assent_protocol::a2h::ToolResponse;
use serde_json::Value;

/// The content of a message that was received.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// The answer to a call.
    Response(Box<ToolResponse>),
    /// The other side has set up a new session and may have lost messages.
    SessionReset,
    /// Anything else.
    Other(Value),
}

impl Incoming {
    pub(crate) fn read(content: &[u8]) -> Self {
        let Ok(value) = serde_json::from_slice::<Value>(content) else {
            return Self::Other(Value::Null);
        };
        let kind = value.pointer("/event/kind").and_then(Value::as_str);
        if value.get("type").and_then(Value::as_str) == Some("system")
            && kind == Some("session.reset")
        {
            return Self::SessionReset;
        }
        match ToolResponse::try_from(value.clone()) {
            Ok(response) => Self::Response(Box::new(response)),
            Err(_) => Self::Other(value),
        }
    }
}
