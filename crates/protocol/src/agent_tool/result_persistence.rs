//! `tool_result_persistence`: the decision on how a result is passed on and stored.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/result-persistence-and-rendering.md>

use std::borrow::Cow;

use assent_ids::{InvocationId, Lax, PersistenceId, ResultId};
use serde::{Deserialize, Serialize};

use super::{Record, RecordKind, SCHEMA_VERSION};
use crate::wire::{Count, Loose, Object, Timestamp, present, words};

/// What happened to the bytes of a result, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolResultPersistence {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// The id of the decision.
    pub decision_id: Lax<PersistenceId>,
    /// The call.
    pub invocation_id: Lax<InvocationId>,
    /// The decision.
    pub strategy: PersistenceStrategy,
    /// The time of the decision.
    pub created_at: Timestamp,
    /// The result.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub result_id: Option<Lax<ResultId>>,
    /// The limit it was measured against.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub threshold: Option<Loose<InlineThreshold>>,
    /// How large the result was.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub original_size_bytes: Option<Count>,
    /// How large the preview is.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub preview_size_bytes: Option<Count>,
    /// Where the bytes are.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub persisted_ref: Option<Loose<PersistedRef>>,
    /// What was removed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub redaction_state: Option<Cow<'static, str>>,
    /// The reason.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'static, str>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolResultPersistence {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        decision_id: impl Into<Lax<PersistenceId>>,
        invocation_id: impl Into<Lax<InvocationId>>,
        strategy: PersistenceStrategy,
        created_at: Timestamp,
    ) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            decision_id: decision_id.into(),
            invocation_id: invocation_id.into(),
            strategy,
            created_at,
            result_id: None,
            threshold: None,
            original_size_bytes: None,
            preview_size_bytes: None,
            persisted_ref: None,
            redaction_state: None,
            reason: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolResultPersistence {
    const KIND: RecordKind = RecordKind::ToolResultPersistence;
}

words! {
    /// What is done with the bytes of a result.
    PersistenceStrategy {
        /// Passed on whole.
        Inline = "inline",
        /// Stored, and a preview passed on.
        PreviewAndPersist = "preview_and_persist",
        /// Stored, and only a reference passed on.
        RefOnly = "ref_only",
        /// Passed on without its sensitive parts.
        Redact = "redact",
        /// Thrown away, for a reason.
        DropWithReason = "drop_with_reason",
        /// Passed on whole and never stored.
        NeverPersist = "never_persist",
    }
}

/// A limit for results that are passed on whole; whichever is reached first counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InlineThreshold {
    /// In Unicode scalar values.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_inline_chars: Option<Count>,
    /// In bytes.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_inline_bytes: Option<Count>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

/// Where stored bytes are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PersistedRef {
    /// The place.
    pub uri: String,
    /// What they are.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Their digest, `sha256:…`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl PersistedRef {
    /// A reference to `uri`.
    #[must_use]
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), media_type: None, digest: None, extra: Object::new() }
    }
}
