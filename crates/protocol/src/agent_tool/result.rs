//! `tool_result`: what came of a call. Every call has exactly one, also one that never ran.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/result-envelope.md>

use std::borrow::Cow;

use assent_ids::{InvocationId, Lax, MutationId, PersistenceId, ResultId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    ArtifactRef, ContentBlock, MutationSource, Record, RecordKind, ResourceRef, ResultStatus,
    SCHEMA_VERSION, ToolError, ToolInputMutation,
};
use crate::wire::{Loose, Object, Open, Timestamp, present};

/// The result of a call, in its several representations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolResult {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// Which result this is.
    pub result_id: Lax<ResultId>,
    /// The call.
    pub invocation_id: Lax<InvocationId>,
    /// How it ended, seen from the result.
    pub status: Open<ResultStatus>,
    /// The time.
    pub created_at: Timestamp,
    /// Whether a model should treat it as a failure.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// The canonical, redacted content.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub content: Option<Vec<Loose<ContentBlock>>>,
    /// The content as JSON that fits the output schema.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    /// What the model was sent.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub model_facing_content: Option<Vec<Loose<ContentBlock>>>,
    /// What people are shown.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ui_facing_summary: Option<String>,
    /// Things that can be fetched.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub resource_refs: Option<Vec<Loose<ResourceRef>>>,
    /// Things that were made.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub artifact_refs: Option<Vec<Loose<ArtifactRef>>>,
    /// Evidence of it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub evidence_refs: Option<Vec<String>>,
    /// The policies that spoke.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub policy_refs: Option<Vec<String>>,
    /// Traces of it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub telemetry_refs: Option<Vec<Object>>,
    /// How it was stored.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub persistence_refs: Option<Vec<Lax<PersistenceId>>>,
    /// A short text.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// What was removed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub redaction_state: Option<String>,
    /// Why it failed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub error: Option<Box<Loose<ToolError>>>,
    /// Extension: who changed the input.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub input_mutations: Option<Loose<Vec<MutationNote>, Value>>,
    /// Extension: that the tool gave nothing, as opposed to something that is lost.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub empty_result: Option<Loose<bool, Value>>,
    /// Extension: that the runtime wrote it, not the tool.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub synthetic: Option<Loose<bool, Value>>,
    /// Extension: what went wrong without changing the outcome, such as a failed post-hook.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Loose<Vec<ToolError>, Value>>,
    /// Extension: the hook runs that changed the output.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub output_hook_refs: Option<Loose<Vec<String>, Value>>,
    /// Extension: the digest of the whole, redacted content.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub content_digest: Option<Loose<String, Value>>,
    /// Extension: where the output of the tool is kept as it came.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub native_output_ref: Option<Loose<String, Value>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolResult {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        result_id: impl Into<Lax<ResultId>>,
        invocation_id: impl Into<Lax<InvocationId>>,
        status: impl Into<Open<ResultStatus>>,
        created_at: Timestamp,
    ) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            result_id: result_id.into(),
            invocation_id: invocation_id.into(),
            status: status.into(),
            created_at,
            is_error: None,
            content: None,
            structured_content: None,
            model_facing_content: None,
            ui_facing_summary: None,
            resource_refs: None,
            artifact_refs: None,
            evidence_refs: None,
            policy_refs: None,
            telemetry_refs: None,
            persistence_refs: None,
            summary: None,
            redaction_state: None,
            error: None,
            input_mutations: None,
            empty_result: None,
            synthetic: None,
            warnings: None,
            output_hook_refs: None,
            content_digest: None,
            native_output_ref: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolResult {
    const KIND: RecordKind = RecordKind::ToolResult;
}

/// A change of the input, as the result remembers it: the standard demands that the result records
/// the mutation source and has no field for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MutationNote {
    /// The change.
    pub mutation_id: Lax<MutationId>,
    /// Who made it.
    pub source_type: MutationSource,
    /// Which hook, decision or adapter.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub source_ref: Option<String>,
    /// JSON Pointers of what changed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub changed_fields: Option<Vec<String>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl MutationNote {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(mutation_id: impl Into<Lax<MutationId>>, source_type: MutationSource) -> Self {
        Self {
            mutation_id: mutation_id.into(),
            source_type,
            source_ref: None,
            changed_fields: None,
            extra: Object::new(),
        }
    }
}

impl From<&ToolInputMutation> for MutationNote {
    fn from(mutation: &ToolInputMutation) -> Self {
        Self {
            mutation_id: mutation.mutation_id.clone(),
            source_type: mutation.source_type,
            source_ref: mutation.source_ref.clone(),
            changed_fields: mutation.changed_fields.clone(),
            extra: Object::new(),
        }
    }
}
