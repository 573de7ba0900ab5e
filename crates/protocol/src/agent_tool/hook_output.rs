//! What a hook puts out: items of `outputs`, and its verdict.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/hooks-and-input-mutation.md>

use serde::{Deserialize, Serialize};

use super::Behavior;
use crate::wire::{Object, Open, present, words};

/// One thing that a hook put out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HookOutput {
    /// What kind of thing.
    #[serde(rename = "type")]
    pub kind: Open<HookOutputKind>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl HookOutput {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(kind: impl Into<Open<HookOutputKind>>) -> Self {
        Self { kind: kind.into(), extra: Object::new() }
    }
}

words! {
    /// What a hook may put out.
    HookOutputKind {
        /// A message for people.
        Message = "message",
        /// A progress report.
        Progress = "progress",
        /// A changed input.
        UpdatedInput = "updated_input",
        /// A verdict.
        PermissionResult = "permission_result",
        /// Context for the model.
        AdditionalContext = "additional_context",
        /// A demand to stop.
        Stop = "stop",
        /// A changed output.
        UpdatedOutput = "updated_output",
    }
}

/// What a hook decided about a call. Its `allow` overrides no rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HookVerdict {
    /// The verdict.
    pub behavior: Behavior,
    /// The reason.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl HookVerdict {
    /// A verdict without a reason.
    #[must_use]
    pub fn new(behavior: Behavior) -> Self {
        Self { behavior, reason: None, extra: Object::new() }
    }
}
