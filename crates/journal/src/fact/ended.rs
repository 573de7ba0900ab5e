//! The last fact of a call.

use std::sync::Arc;

use assent_ids::{
    DecisionId, HookRunId, InvocationId, MutationId, NativeCallId, ResultId, SchedulerPolicyId,
    SurfaceId, ToolId,
};
use assent_json::Digest;
use assent_protocol::agent_tool::{
    ArtifactRef, InvocationStatus, SchedulerFacts, ToolExternalMapping,
};
use serde::{Deserialize, Serialize};

use super::Inputs;
use crate::serde_as;

/// A summary of the call, from which `tool_invocation` is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    /// The tool, or a placeholder for one that does not exist.
    pub tool: Arc<ToolId>,
    /// The name that the caller used.
    pub requested: Arc<str>,
    /// The digest of the tool's definition.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "serde_as::optional_text")]
    pub definition: Option<Digest>,
    /// The surface of the caller.
    pub surface: SurfaceId,
    /// Its four inputs.
    pub inputs: Inputs,
    /// Every status that it had, with the time in milliseconds since 1970. The last one is terminal.
    pub transitions: Vec<(InvocationStatus, u64)>,
    /// Its result.
    pub result: ResultId,
    /// The actor that requested it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Arc<str>>,
    /// The id of the call in the protocol it came through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native_call_id: Option<NativeCallId>,
    /// Native ids, unchanged: of the tool, then of this call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mappings: Vec<ToolExternalMapping>,
    /// The decisions, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<DecisionId>,
    /// The policies that took part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<String>,
    /// The runs of hooks, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<HookRunId>,
    /// The changes of its input, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mutations: Vec<MutationId>,
    /// The calls that it depended on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<InvocationId>,
    /// The call that it repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_of: Option<InvocationId>,
    /// The artifacts that it made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<ArtifactRef>,
    /// The facts on which scheduling was based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduler: Option<Arc<SchedulerFacts>>,
    /// The id of the scheduler policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduler_policy: Option<Arc<SchedulerPolicyId>>,
    /// The number of attempts.
    pub attempts: u32,
    /// The trace of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Arc<str>>,
    /// Whether the tool was started.
    pub executed: bool,
}
