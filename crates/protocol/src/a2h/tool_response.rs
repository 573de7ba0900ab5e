//! The answer to a tool call.

use assent_ids::CallId;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::{
    ContentType, MsgSubtype, ToolOutcome,
    artifact::{self, ArtifactError},
};
use crate::wire::{Object, Timestamp};

const SUBTYPE: &str = "tool_response";

/// The answer to a tool call. Written as `{"type":"artifact","artifact":{"subtype":"tool_response",…}}`;
/// read in that shape, with the fields under `artifact.payload`, and as an event with
/// `payload.ref_artifact_subtype`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
#[non_exhaustive]
pub struct ToolResponse {
    /// The call it answers.
    pub call_id: CallId,
    /// The outcome.
    pub outcome: ToolOutcome,
    /// Fields that this version does not know.
    pub extra: Object,
}

impl ToolResponse {
    /// The `msg_subtype` of the message that carries it; there is none of its own for answers.
    pub const MSG_SUBTYPE: MsgSubtype = MsgSubtype::ArtifactResponse;
    /// The `content_type` of that message.
    pub const CONTENT_TYPE: ContentType = ContentType::Artifact;

    /// The answer to `call_id`.
    #[must_use]
    pub fn new(call_id: CallId, outcome: ToolOutcome) -> Self {
        Self { call_id, outcome, extra: Object::new() }
    }
}

#[derive(Deserialize)]
struct Body {
    call_id: CallId,
    status: Status,
    #[serde(default)]
    result: Value,
    reason: Option<String>,
    error_code: Option<String>,
    pending_until: Option<Timestamp>,
    #[serde(flatten)]
    extra: Object,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
    Denied,
    Error,
    Pending,
}

impl TryFrom<Value> for ToolResponse {
    type Error = ArtifactError;

    fn try_from(message: Value) -> Result<Self, ArtifactError> {
        let body: Body = artifact::read(message, SUBTYPE)?;
        let reason = body.reason.as_deref();
        let outcome = match body.status {
            Status::Ok => ToolOutcome::Ok { result: body.result },
            Status::Denied => ToolOutcome::denied(reason),
            Status::Error => ToolOutcome::failed(body.error_code.as_deref(), reason),
            Status::Pending => ToolOutcome::Pending { until: body.pending_until },
        };
        Ok(Self { call_id: body.call_id, outcome, extra: body.extra })
    }
}

impl Serialize for ToolResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut artifact: Map<String, Value> = self.extra.clone().into_iter().collect();
        let mut put = |name: &str, value: Value| artifact.insert(name.to_owned(), value);
        put("subtype", SUBTYPE.into());
        put("call_id", self.call_id.as_str().into());
        put("status", self.outcome.status().into());
        match &self.outcome {
            ToolOutcome::Ok { result } => {
                put("result", result.clone());
            }
            ToolOutcome::Denied { reason } => {
                put("reason", reason.as_str().into());
            }
            ToolOutcome::Error { code, reason } => {
                put("error_code", code.as_str().into());
                put("reason", reason.as_str().into());
            }
            ToolOutcome::Pending { until: Some(until) } => {
                put("pending_until", until.as_str().into());
            }
            ToolOutcome::Pending { until: None } => {}
        }
        json!({ "type": "artifact", "artifact": artifact }).serialize(serializer)
    }
}
