//! `tool_input_contract`: what a tool takes. It stands inside a declaration and has no schema of its own.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/input-output-contracts.md>

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Record, RecordKind};
use crate::wire::{Loose, Object, Open, present, words};

/// What a model may send, what the runtime adds, and who may change it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolInputContract {
    /// The schema for what the model sends. No internal field is named here.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub model_input_schema: Option<Value>,
    /// The schema for what the executor takes.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub runtime_input_schema: Option<Value>,
    /// Whether the provider must hold the model to the schema.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
    /// Values that may be filled in; each filling is recorded.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub defaults: Option<Value>,
    /// Inputs that are right.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub examples: Option<Vec<Value>>,
    /// JSON Pointers (or bare top-level names) of what telemetry must not show.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub sensitive_fields: Option<Vec<String>>,
    /// JSON Pointers (or bare top-level names) of what a model must not send.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub internal_only_fields: Option<Vec<String>>,
    /// How arguments are passed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub argument_mode: Option<Open<ArgumentMode>>,
    /// Whether hooks and prompts may change the input.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub mutation_policy: Option<Loose<MutationPolicy, Value>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl Record for ToolInputContract {
    const KIND: RecordKind = RecordKind::ToolInputContract;
}

impl ToolInputContract {
    /// A contract for what the model sends.
    #[must_use]
    pub fn new(model_input_schema: Value) -> Self {
        Self { model_input_schema: Some(model_input_schema), ..Self::default() }
    }
}

/// Who may change an input after the model wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutationPolicy {
    /// What hooks may change.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub hooks: Option<MutationRule>,
    /// What a person may change when asked.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub prompts: Option<MutationRule>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

words! {
    /// What may be changed.
    MutationRule {
        /// Nothing.
        Forbid = "forbid",
        /// Internal fields only.
        InternalOnly = "internal_only",
        /// Everything.
        Allow = "allow",
    }
}

words! {
    /// How arguments are passed.
    ArgumentMode {
        /// One JSON value.
        Json = "json",
        /// Plain text.
        Text = "text",
        /// A file.
        File = "file",
        /// Several parts.
        Multipart = "multipart",
        /// A stream.
        Stream = "stream",
        /// Some other way.
        Custom = "custom",
    }
}
