//! How a call ends.

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

/// The whole story of a call in one place: what `tool_invocation` is made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    /// The tool, or the stand-in for one that does not exist.
    pub tool: Arc<ToolId>,
    /// The name that the caller used.
    pub requested: Arc<str>,
    /// What the tool was.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "serde_as::optional_text")]
    pub definition: Option<Digest>,
    /// The surface it was chosen from.
    pub surface: SurfaceId,
    /// Its four inputs.
    pub inputs: Inputs,
    /// Every state it was in, with the time in milliseconds since 1970. The last is the end.
    pub transitions: Vec<(InvocationStatus, u64)>,
    /// Its result.
    pub result: ResultId,
    /// Who asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Arc<str>>,
    /// Its id in the protocol it came through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native_call_id: Option<NativeCallId>,
    /// Native ids, unchanged: of the tool, then of this call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mappings: Vec<ToolExternalMapping>,
    /// The decisions, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<DecisionId>,
    /// The policies that spoke.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<String>,
    /// The runs of hooks, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<HookRunId>,
    /// The changes of its input, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mutations: Vec<MutationId>,
    /// The calls it waited for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<InvocationId>,
    /// The call that it repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_of: Option<InvocationId>,
    /// What it made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<ArtifactRef>,
    /// What the scheduler knew of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduler: Option<Arc<SchedulerFacts>>,
    /// The policy it was scheduled by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduler_policy: Option<Arc<SchedulerPolicyId>>,
    /// How often it was tried.
    pub attempts: u32,
    /// The trace it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Arc<str>>,
    /// Whether the tool was started.
    pub executed: bool,
}
