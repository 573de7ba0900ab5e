//! The content of messages.

use assent_ids::CallId;
use assent_protocol::a2h::{ContentType, MsgSubtype, ToolCall, ToolResponse};
use serde_json::{Value, json};
use zeroize::Zeroizing;

/// The content of a message with what the relay has to know about it.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    pub(crate) subtype: MsgSubtype,
    pub(crate) content_type: ContentType,
    pub(crate) json: Zeroizing<Vec<u8>>,
}

impl Content {
    fn new(subtype: MsgSubtype, content_type: ContentType, json: &Value) -> Self {
        Self { subtype, content_type, json: Zeroizing::new(json.to_string().into_bytes()) }
    }

    pub(crate) fn text(text: &str) -> Self {
        let json = json!({ "type": "text", "text": text });
        Self::new(MsgSubtype::Text, ContentType::Text, &json)
    }

    pub(crate) fn artifact(artifact: &Value) -> Self {
        let json = json!({ "type": "artifact", "artifact": artifact });
        Self::new(MsgSubtype::Artifact, ContentType::Artifact, &json)
    }

    pub(crate) fn tool_call(call: &ToolCall) -> Self {
        // The fields of a call can always be written; what could not is refused by the device as malformed.
        let json = serde_json::to_value(call).unwrap_or_default();
        Self::new(ToolCall::MSG_SUBTYPE, ToolCall::CONTENT_TYPE, &json)
    }

    /// Withdraws a call.
    pub(crate) fn cancel(call: &CallId) -> Self {
        let event = json!({ "kind": "call.cancel", "call_id": call });
        let json = json!({ "type": "system", "event": event });
        Self::new(MsgSubtype::System, ContentType::System, &json)
    }
}

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
