//! The content of messages to people.

use assent_ids::CallId;
use assent_protocol::a2h::{ContentType, MsgSubtype, ToolCall};
use serde_json::{Value, json};
use zeroize::Zeroizing;

/// The content of a message, with what the relay has to know about it.
#[derive(Clone)]
pub struct Outgoing {
    pub(crate) subtype: MsgSubtype,
    pub(crate) content_type: ContentType,
    pub(crate) json: Zeroizing<Vec<u8>>,
}

impl Outgoing {
    fn new(subtype: MsgSubtype, content_type: ContentType, json: &Value) -> Self {
        Self { subtype, content_type, json: Zeroizing::new(json.to_string().into_bytes()) }
    }

    /// A text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        let json = json!({ "type": "text", "text": text });
        Self::new(MsgSubtype::Text, ContentType::Text, &json)
    }

    pub(crate) fn artifact(artifact: &Value) -> Self {
        let is_call = artifact.get("subtype").and_then(Value::as_str) == Some("tool_call");
        let subtype = if is_call { ToolCall::MSG_SUBTYPE } else { MsgSubtype::Artifact };
        let json = json!({ "type": "artifact", "artifact": artifact });
        Self::new(subtype, ContentType::Artifact, &json)
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

impl std::fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outgoing").field("subtype", &self.subtype).finish_non_exhaustive()
    }
}

impl From<&str> for Outgoing {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}
