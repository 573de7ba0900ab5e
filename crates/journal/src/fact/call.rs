//! The first facts of a call.

use std::sync::Arc;

use assent_ids::{BatchId, InvocationId, NativeCallId, SurfaceId, ToolId};
use assent_json::{Digest, Json};
use assent_protocol::{
    agent_tool::{ToolExternalMapping, ToolSchedulerPolicy},
    wire::Millis,
};
use serde::{Deserialize, Serialize};

use crate::serde_as;

/// The request of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Planned {
    /// The name that the caller used.
    pub requested: Arc<str>,
    /// What the model wrote, with sensitive values replaced.
    pub model_input: Json,
    /// The surface of the caller.
    pub surface: SurfaceId,
    /// The actor that requested the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Arc<str>>,
    /// The session of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Arc<str>>,
    /// The id of the call in the protocol it came through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native_call_id: Option<NativeCallId>,
    /// Native ids of this call, unchanged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mappings: Vec<ToolExternalMapping>,
    /// The batch of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<BatchId>,
    /// Its position in the batch.
    #[serde(default)]
    pub position: u32,
    /// The scheduler policy of the batch, if it is not the default of the runtime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduling: Option<Arc<ToolSchedulerPolicy>>,
    /// The calls that it depends on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<InvocationId>,
    /// The earlier call that this one repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_of: Option<InvocationId>,
    /// The trace of the call, in the format of `traceparent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Arc<str>>,
    /// The longest time that the tool may take according to the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Millis>,
}

/// The tool that a call is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Selected {
    /// The tool.
    pub tool: Arc<ToolId>,
    /// The digest of its definition when it was selected.
    #[serde(with = "serde_as::text")]
    pub definition: Digest,
}
