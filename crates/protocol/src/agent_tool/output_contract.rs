//! `tool_output_contract`: what a tool gives. It stands inside a declaration and has no schema of its own.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/input-output-contracts.md>

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Record, RecordKind};
use crate::wire::{Count, Object, present};

/// The shape, size and treatment of results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolOutputContract {
    /// The schema of `structured_content`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub structured_schema: Option<Value>,
    /// The kinds of content it may give.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub content_types: Option<Vec<String>>,
    /// The artifacts it may make; any JSON.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub artifact_expectations: Option<Value>,
    /// Largest result that is passed on whole, in bytes.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_inline_bytes: Option<Count>,
    /// Largest result that is passed on whole, in Unicode scalar values.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_inline_chars: Option<Count>,
    /// How results are stored.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub persistence_policy_ref: Option<String>,
    /// Where display ends and the result begins; any JSON.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rendering_boundary: Option<Value>,
    /// What to remove before anyone sees it; any JSON.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub redaction_rules: Option<Value>,
    /// What to say if the result cannot be shown.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub fallback_summary: Option<String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl Record for ToolOutputContract {
    const KIND: RecordKind = RecordKind::ToolOutputContract;
}
