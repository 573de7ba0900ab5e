//! `tool_progress`: one report of a running call.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/progress-and-cancellation.md>

use std::borrow::Cow;

use assent_ids::{InvocationId, Lax, ProgressId, TaskId};
use serde::{Deserialize, Serialize};

use super::{ArtifactRef, Record, RecordKind, SCHEMA_VERSION};
use crate::wire::{Count, Loose, Millis, Object, Open, Percent, Timestamp, present, words};

/// How far a call is. Reports of one call are ordered by `sequence` and can be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolProgress {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// The id of the report.
    pub progress_id: Lax<ProgressId>,
    /// The call.
    pub invocation_id: Lax<InvocationId>,
    /// Its place among the reports of the call.
    pub sequence: Count,
    /// What the call is doing.
    pub status: Open<ProgressStatus>,
    /// The time of the report.
    pub timestamp: Timestamp,
    /// What it is doing, for people.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How much is done.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub percent: Option<Percent>,
    /// The name of the step it is at.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub current_step: Option<String>,
    /// How many steps there are.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub total_steps: Option<Count>,
    /// How long it has run.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<Millis>,
    /// Bytes read so far.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub bytes_read: Option<Count>,
    /// Bytes written so far.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub bytes_written: Option<Count>,
    /// Lines so far.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub line_count: Option<Count>,
    /// The background task it became.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub task_id: Option<Lax<TaskId>>,
    /// Parts of the result that are ready.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub partial_result_refs: Option<Vec<String>>,
    /// Artifacts that are ready.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub artifact_refs: Option<Vec<Loose<ArtifactRef>>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolProgress {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        progress_id: impl Into<Lax<ProgressId>>,
        invocation_id: impl Into<Lax<InvocationId>>,
        sequence: Count,
        status: impl Into<Open<ProgressStatus>>,
        timestamp: Timestamp,
    ) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            progress_id: progress_id.into(),
            invocation_id: invocation_id.into(),
            sequence,
            status: status.into(),
            timestamp,
            message: None,
            percent: None,
            current_step: None,
            total_steps: None,
            elapsed_ms: None,
            bytes_read: None,
            bytes_written: None,
            line_count: None,
            task_id: None,
            partial_result_refs: None,
            artifact_refs: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolProgress {
    const KIND: RecordKind = RecordKind::ToolProgress;
}

words! {
    /// What a call is doing.
    ProgressStatus {
        /// Waiting for its turn.
        Queued = "queued",
        /// Just begun.
        Started = "started",
        /// Running.
        Running = "running",
        /// Waiting for a permission.
        WaitingForPermission = "waiting_for_permission",
        /// Waiting for input.
        WaitingForInput = "waiting_for_input",
        /// Gone to the background.
        Backgrounded = "backgrounded",
        /// A part of the result is ready.
        PartialResult = "partial_result",
        /// Done.
        Completed = "completed",
        /// Failed.
        Failed = "failed",
        /// Canceled.
        Canceled = "canceled",
    }
}
