//! How a call begins.

use std::sync::Arc;

use assent_ids::{BatchId, InvocationId, NativeCallId, SurfaceId, ToolId};
use assent_json::{Digest, Json};
use assent_protocol::agent_tool::{ToolExternalMapping, ToolSchedulerPolicy};
use serde::{Deserialize, Serialize};

use crate::serde_as;

/// What was asked for, by whom, and how it arrived.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Planned {
    /// The name that the caller used.
    pub requested: Arc<str>,
    /// What the model wrote, with sensitive values replaced.
    pub model_input: Json,
    /// The surface that the caller chose from.
    pub surface: SurfaceId,
    /// Who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Arc<str>>,
    /// The session it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Arc<str>>,
    /// Its id in the protocol it came through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native_call_id: Option<NativeCallId>,
    /// Native ids of this call, unchanged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mappings: Vec<ToolExternalMapping>,
    /// The calls that were asked for together with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<BatchId>,
    /// Its place among them.
    #[serde(default)]
    pub position: u32,
    /// How they are scheduled, if not as the runtime does it by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduling: Option<Arc<ToolSchedulerPolicy>>,
    /// The calls it waits for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<InvocationId>,
    /// The call that the model repeats with this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_of: Option<InvocationId>,
    /// The trace it belongs to, as `traceparent` writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Arc<str>>,
}

/// The tool that a call is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Selected {
    /// The tool.
    pub tool: Arc<ToolId>,
    /// What the tool was when it was chosen.
    #[serde(with = "serde_as::text")]
    pub definition: Digest,
}
