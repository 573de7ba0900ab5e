//! `tool_invocation`: one requested call, whatever became of it.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/invocation-lifecycle.md>

use std::borrow::Cow;

use assent_ids::{
    DecisionId, InvocationId, Lax, MutationId, NativeCallId, ResultId, SchedulerPolicyId,
    SurfaceId, ToolId,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    ArtifactRef, InvocationStatus, Record, RecordKind, SCHEMA_VERSION, SchedulerFacts,
    ToolExternalMapping,
};
use crate::wire::{Count, Loose, Object, Open, Timestamp, present};

/// A call: its four inputs, its path through the states, and everything that refers to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolInvocation {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// The id of the call.
    pub invocation_id: Lax<InvocationId>,
    /// The tool, or `unresolved:…` for one that does not exist.
    pub tool_id: Lax<ToolId>,
    /// The state of the call.
    pub status: Open<InvocationStatus>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// The surface it was chosen from.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub surface_id: Option<Lax<SurfaceId>>,
    /// Its id in the protocol it came through.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub native_call_id: Option<Lax<NativeCallId>>,
    /// What the model wrote, never changed; any JSON.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub model_input: Option<Value>,
    /// Where that is kept.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub model_input_ref: Option<String>,
    /// What hooks and people see; any JSON.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub observable_input: Option<Value>,
    /// Where that is kept.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub observable_input_ref: Option<String>,
    /// What the permission check judged; any JSON.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub permission_input: Option<Value>,
    /// Where that is kept.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub permission_input_ref: Option<String>,
    /// What the executor was given; any JSON.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub call_input: Option<Value>,
    /// Where that is kept.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub call_input_ref: Option<String>,
    /// The caller.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub actor_ref: Option<String>,
    /// The runtime objects it belongs to.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub runtime_refs: Option<Vec<String>>,
    /// The policies that spoke.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub policy_refs: Option<Vec<String>>,
    /// The decisions, in order.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub permission_decision_refs: Option<Vec<Lax<DecisionId>>>,
    /// The hook runs, in order.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub hook_refs: Option<Vec<String>>,
    /// Evidence of it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub evidence_refs: Option<Vec<String>>,
    /// Traces of it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub telemetry_refs: Option<Vec<Object>>,
    /// Artifacts it made.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub artifact_refs: Option<Vec<Loose<ArtifactRef>>>,
    /// The policy it was scheduled by.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub scheduler_policy_ref: Option<Lax<SchedulerPolicyId>>,
    /// Every state it was in, with the time.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub status_transitions: Option<Vec<Loose<StatusTransition>>>,
    /// When it began to run.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// Extension: what the scheduler knows of it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub scheduler: Option<Loose<SchedulerFacts, Value>>,
    /// Extension: the calls it waits for.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub depends_on: Option<Loose<Vec<Lax<InvocationId>>, Value>>,
    /// Extension: the changes of its input, in order.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub mutation_refs: Option<Loose<Vec<Lax<MutationId>>, Value>>,
    /// Extension: the number of the automatic attempt, from 1.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub attempt: Option<Loose<Count, Value>>,
    /// Extension: the call that the model repeats with this one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub retry_of: Option<Loose<Lax<InvocationId>, Value>>,
    /// Extension: its result.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub result_ref: Option<Loose<Lax<ResultId>, Value>>,
    /// Extension: the native ids of this call, unchanged.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub external_mappings: Option<Loose<Vec<ToolExternalMapping>, Value>>,
    /// Extension: the name the caller used, also if there is no such tool.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub requested_name: Option<Loose<String, Value>>,
    /// Extension: the digest of the schema that the caller had seen.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub schema_digest: Option<Loose<String, Value>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolInvocation {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        invocation_id: impl Into<Lax<InvocationId>>,
        tool_id: impl Into<Lax<ToolId>>,
        status: impl Into<Open<InvocationStatus>>,
        created_at: Timestamp,
    ) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            invocation_id: invocation_id.into(),
            tool_id: tool_id.into(),
            status: status.into(),
            created_at,
            surface_id: None,
            native_call_id: None,
            model_input: None,
            model_input_ref: None,
            observable_input: None,
            observable_input_ref: None,
            permission_input: None,
            permission_input_ref: None,
            call_input: None,
            call_input_ref: None,
            actor_ref: None,
            runtime_refs: None,
            policy_refs: None,
            permission_decision_refs: None,
            hook_refs: None,
            evidence_refs: None,
            telemetry_refs: None,
            artifact_refs: None,
            scheduler_policy_ref: None,
            status_transitions: None,
            started_at: None,
            ended_at: None,
            scheduler: None,
            depends_on: None,
            mutation_refs: None,
            attempt: None,
            retry_of: None,
            result_ref: None,
            external_mappings: None,
            requested_name: None,
            schema_digest: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolInvocation {
    const KIND: RecordKind = RecordKind::ToolInvocation;
}

/// A state that a call came into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StatusTransition {
    /// The state.
    pub status: Open<InvocationStatus>,
    /// The time.
    pub at: Timestamp,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl StatusTransition {
    /// That a call came into `status`.
    #[must_use]
    pub fn new(status: impl Into<Open<InvocationStatus>>, at: Timestamp) -> Self {
        Self { status: status.into(), at, extra: Object::new() }
    }
}
