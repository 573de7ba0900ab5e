//! `tool_input_mutation`: one change of a call's input after the model wrote it.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/hooks-and-input-mutation.md>

use std::borrow::Cow;

use assent_ids::{InvocationId, Lax, MutationId};
use serde::{Deserialize, Serialize};

use super::{Record, RecordKind, SCHEMA_VERSION};
use crate::wire::{Object, Timestamp, present, words};

/// Who changed which fields of an input, and why. `model_input` itself is never changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolInputMutation {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// The id of the change.
    pub mutation_id: Lax<MutationId>,
    /// The call.
    pub invocation_id: Lax<InvocationId>,
    /// Who made the change.
    pub source_type: MutationSource,
    /// The time of the change.
    pub created_at: Timestamp,
    /// Which hook, decision or adapter.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub source_ref: Option<String>,
    /// The input before.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub from_input_ref: Option<String>,
    /// The input after.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub to_input_ref: Option<String>,
    /// JSON Pointers of what changed; bare top-level names are read too.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub changed_fields: Option<Vec<String>>,
    /// The reason.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolInputMutation {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        mutation_id: impl Into<Lax<MutationId>>,
        invocation_id: impl Into<Lax<InvocationId>>,
        source_type: MutationSource,
        created_at: Timestamp,
    ) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            mutation_id: mutation_id.into(),
            invocation_id: invocation_id.into(),
            source_type,
            created_at,
            source_ref: None,
            from_input_ref: None,
            to_input_ref: None,
            changed_fields: None,
            reason: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolInputMutation {
    const KIND: RecordKind = RecordKind::ToolInputMutation;
}

words! {
    /// Who changes inputs.
    MutationSource {
        /// A hook.
        Hook = "hook",
        /// A person who was asked.
        PermissionPrompt = "permission_prompt",
        /// The adapter of a protocol.
        Adapter = "adapter",
        /// The reader of an older version.
        Migration = "migration",
        /// The runtime.
        Runtime = "runtime",
    }
}
