//! `tool_interface`: the runtime contract of a tool. Of the fields that only the prose names, those that are
//! not listed here stay in `extra`.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/tool-interface.md>

use std::borrow::Cow;

use assent_ids::{CallableName, ExecutionProfileId, InterfaceId, Lax, PermissionProfileId, ToolId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Flag, InterruptBehavior, Record, RecordKind, SCHEMA_VERSION, SchemaVisibility,
    ToolExternalMapping,
};
use crate::wire::{Count, Loose, Object, present};

/// How a tool is validated, judged, executed and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolInterface {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// The id of the interface.
    pub interface_id: Lax<InterfaceId>,
    /// The tool it belongs to.
    pub tool_id: Lax<ToolId>,
    /// The name a model calls it by.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub name: Option<Lax<CallableName>>,
    /// Older names.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub aliases: Option<Vec<Lax<CallableName>>>,
    /// Three to ten words that say what it can do.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub search_hint: Option<String>,
    /// What the model may send. No internal field is named here.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub model_input_schema: Option<Object>,
    /// What the executor takes, internal fields included.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub runtime_input_schema: Option<Object>,
    /// What it gives.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Object>,
    /// Whether the provider must hold the model to the schema.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
    /// Whether a model can see the schema.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub schema_visibility: Option<SchemaVisibility>,
    /// Whether it may be offered.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub is_enabled: Option<Flag>,
    /// Whether it changes nothing.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub is_read_only: Option<Flag>,
    /// Whether it may run concurrently with other calls.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub is_concurrency_safe: Option<Flag>,
    /// Whether it may destroy data.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub is_destructive: Option<Flag>,
    /// Whether it interacts with systems that are not known in advance.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub is_open_world: Option<Flag>,
    /// Whether it needs a person while it runs.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub requires_user_interaction: Option<bool>,
    /// What a safety classifier looks at; any JSON.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub classifier_input: Option<Value>,
    /// How rules match its input.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub permission_matcher: Option<String>,
    /// How it is executed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub execution_profile_ref: Option<Lax<ExecutionProfileId>>,
    /// What it touches.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub permission_profile_ref: Option<Lax<PermissionProfileId>>,
    /// How its results are stored.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub persistence_policy_ref: Option<String>,
    /// Longest result that is passed on whole.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_inline_chars: Option<Count>,
    /// Hints for display; never the result itself.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rendering: Option<Object>,
    /// Its native names and ids, unchanged.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub external_mappings: Option<Vec<Loose<ToolExternalMapping>>>,
    /// Extension: what an interruption does to it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub interrupt_behavior: Option<Loose<InterruptBehavior, Value>>,
    /// Extension: the facts above that were derived instead of stated.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub inferred_facts: Option<Loose<Vec<String>, Value>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolInterface {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(interface_id: impl Into<Lax<InterfaceId>>, tool_id: impl Into<Lax<ToolId>>) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            interface_id: interface_id.into(),
            tool_id: tool_id.into(),
            name: None,
            aliases: None,
            search_hint: None,
            model_input_schema: None,
            runtime_input_schema: None,
            output_schema: None,
            strict: None,
            schema_visibility: None,
            is_enabled: None,
            is_read_only: None,
            is_concurrency_safe: None,
            is_destructive: None,
            is_open_world: None,
            requires_user_interaction: None,
            classifier_input: None,
            permission_matcher: None,
            execution_profile_ref: None,
            permission_profile_ref: None,
            persistence_policy_ref: None,
            max_inline_chars: None,
            rendering: None,
            external_mappings: None,
            interrupt_behavior: None,
            inferred_facts: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolInterface {
    const KIND: RecordKind = RecordKind::ToolInterface;
}
