//! A tool call: an agent asks a person's device to do something.

use assent_ids::{CallId, Lax, ScopeId, ToolName};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::{
    ContentType, MsgSubtype,
    artifact::{self, ArtifactError},
};
use crate::wire::{Millis, Object};

const SUBTYPE: &str = "tool_call";

/// A tool call. Written as `{"type":"artifact","artifact":{"subtype":"tool_call",…}}`, read in that
/// shape and with the fields under `artifact.payload`.
///
/// The id has to be a good one, or no answer could find its way back. Everything else may be wrong
/// and is then answered: an unknown tool with `tool_not_declared`, bad arguments with an error. A field
/// of the wrong type is an [`ArtifactError::Malformed`] that still names the call.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
#[non_exhaustive]
pub struct ToolCall {
    /// The id of the call, which the answer repeats.
    pub call_id: CallId,
    /// The tool.
    pub tool_name: Lax<ToolName>,
    /// What to do with it; an object, if the caller did it right.
    pub arguments: Value,
    /// The scope the agent believes it needs. The declared one counts.
    pub permission_scope: Option<Lax<ScopeId>>,
    /// How long the agent will wait.
    pub timeout_ms: Option<Millis>,
    /// Fields that this version does not know.
    pub extra: Object,
}

impl ToolCall {
    /// The `msg_subtype` of the message that carries it; there is none of its own for tool calls.
    pub const MSG_SUBTYPE: MsgSubtype = MsgSubtype::ArtifactToolCall;
    /// The `content_type` of that message.
    pub const CONTENT_TYPE: ContentType = ContentType::Artifact;

    /// A call without scope and timeout.
    #[must_use]
    pub fn new(call_id: CallId, tool_name: impl Into<Lax<ToolName>>, arguments: Value) -> Self {
        Self {
            call_id,
            tool_name: tool_name.into(),
            arguments,
            permission_scope: None,
            timeout_ms: None,
            extra: Object::new(),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Body {
    call_id: CallId,
    tool_name: Lax<ToolName>,
    #[serde(default = "no_arguments")]
    arguments: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_scope: Option<Lax<ScopeId>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout_ms: Option<Millis>,
    #[serde(flatten)]
    extra: Object,
}

fn no_arguments() -> Value {
    Value::Object(Map::new())
}

impl TryFrom<Value> for ToolCall {
    type Error = ArtifactError;

    fn try_from(message: Value) -> Result<Self, ArtifactError> {
        let body: Body = artifact::read(message, SUBTYPE)?;
        Ok(Self {
            call_id: body.call_id,
            tool_name: body.tool_name,
            arguments: body.arguments,
            permission_scope: body.permission_scope,
            timeout_ms: body.timeout_ms,
            extra: body.extra,
        })
    }
}

impl Serialize for ToolCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let call = self.clone();
        let body = Body {
            call_id: call.call_id,
            tool_name: call.tool_name,
            arguments: call.arguments,
            permission_scope: call.permission_scope,
            timeout_ms: call.timeout_ms,
            extra: call.extra,
        };
        let mut artifact = serde_json::to_value(body).map_err(serde::ser::Error::custom)?;
        if let Value::Object(fields) = &mut artifact {
            fields.insert("subtype".to_owned(), SUBTYPE.into());
        }
        json!({ "type": "artifact", "artifact": artifact }).serialize(serializer)
    }
}
