//! `tool_error`: why a call failed and what can be done about it. The standard publishes no schema for it.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/errors-and-retries.md>

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ErrorClass, Record, RecordKind, RetryAfter, RetryGuidance};
use crate::wire::{Object, Open, present, words};

/// A failure, for programs and for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolError {
    /// The kind of failure.
    pub error_class: Open<ErrorClass>,
    /// A stable, more specific code.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub error_code: Option<String>,
    /// What happened, for people.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What can be done about it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub recoverability: Option<Open<Recoverability>>,
    /// When to try again.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<RetryAfter>,
    /// The native error; any JSON.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub native_error_ref: Option<Value>,
    /// The policies behind it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub policy_refs: Option<Vec<String>>,
    /// Evidence of it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub evidence_refs: Option<Vec<String>>,
    /// Extension: what a repetition needs.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryGuidance>,
    /// Extension: why the runtime ended the call.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub abort_reason: Option<Open<AbortReason>>,
    /// Extension: that the call may have done something before it was lost.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub side_effects_unknown: Option<bool>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolError {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(error_class: impl Into<Open<ErrorClass>>) -> Self {
        Self {
            error_class: error_class.into(),
            error_code: None,
            message: None,
            recoverability: None,
            retry_after: None,
            native_error_ref: None,
            policy_refs: None,
            evidence_refs: None,
            retry: None,
            abort_reason: None,
            side_effects_unknown: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolError {
    const KIND: RecordKind = RecordKind::ToolError;
}

impl ToolError {
    /// The `error_code` of a tool that exists but is not on the caller's surface: its class is
    /// `unknown_tool`, because the standard has none of its own for it.
    pub const TOOL_NOT_SURFACED: &'static str = "tool_not_surfaced";
}

words! {
    /// What can be done about a failure.
    Recoverability {
        /// Nothing.
        None = "none",
        /// The same call again.
        RetrySame = "retry_same",
        /// The same call, later.
        RetryAfterDelay = "retry_after_delay",
        /// A call with other arguments.
        ChangeArguments = "change_arguments",
        /// A call with other arguments, or a change of the rules.
        ChangeArgumentsOrPolicy = "change_arguments_or_policy",
        /// Find and load the tool first.
        DiscoverFirst = "discover_first",
        /// A person has to approve.
        NeedsApproval = "needs_approval",
        /// Something has to be set up.
        NeedsSetup = "needs_setup",
    }
}

words! {
    /// Why the runtime ended a call.
    AbortReason {
        /// A person interrupted.
        UserInterruption = "user_interruption",
        /// Another call of the batch failed.
        SiblingError = "sibling_error",
        /// It took too long.
        Timeout = "timeout",
        /// The model's answer was replaced by another.
        Fallback = "fallback",
        /// The runtime went down.
        RuntimeShutdown = "runtime_shutdown",
    }
}
