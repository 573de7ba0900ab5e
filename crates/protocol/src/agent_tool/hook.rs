//! `tool_hook`: a registered hook, or one run of it.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/hooks-and-input-mutation.md>

use std::borrow::Cow;

use assent_ids::{HookId, HookRunId, InvocationId, Lax, ToolId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{HookOutput, HookVerdict, Record, RecordKind, SCHEMA_VERSION};
use crate::wire::{Loose, Object, Timestamp, present, words};

/// A hook. With `matcher` it is a registration, with `invocation_id` the record of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolHook {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// The registered hook.
    pub hook_id: Lax<HookId>,
    /// When it runs.
    pub hook_event: HookEvent,
    /// The call it ran for.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub invocation_id: Option<Lax<InvocationId>>,
    /// The tool of that call.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub tool_id: Option<Lax<ToolId>>,
    /// Which calls it runs for.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub matcher: Option<Object>,
    /// All it put out, in order.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub outputs: Option<Vec<Loose<HookOutput>>>,
    /// What it decided.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub permission_result: Option<Loose<HookVerdict>>,
    /// The input as it changed it; any JSON.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub updated_input: Option<Value>,
    /// Context it added for the model.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub additional_context: Option<Vec<Object>>,
    /// That the call must stop, and why.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub stop: Option<Object>,
    /// The output as it changed it; any JSON.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub updated_output: Option<Value>,
    /// When the run began.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// When the run ended.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// Extension: the id of the run.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub hook_run_id: Option<Loose<Lax<HookRunId>, Value>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolHook {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(hook_id: impl Into<Lax<HookId>>, hook_event: HookEvent) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            hook_id: hook_id.into(),
            hook_event,
            invocation_id: None,
            tool_id: None,
            matcher: None,
            outputs: None,
            permission_result: None,
            updated_input: None,
            additional_context: None,
            stop: None,
            updated_output: None,
            started_at: None,
            ended_at: None,
            hook_run_id: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolHook {
    const KIND: RecordKind = RecordKind::ToolHook;
}

words! {
    /// When a hook runs.
    HookEvent {
        /// Before the permission check.
        PreToolUse = "pre_tool_use",
        /// After a call succeeded.
        PostToolUse = "post_tool_use",
        /// After an executed call failed.
        PostToolUseFailure = "post_tool_use_failure",
        /// Before a person is asked.
        PermissionRequest = "permission_request",
        /// After the final decision; it can only watch.
        PermissionDecision = "permission_decision",
        /// Before a result is stored; it can only be stricter.
        ResultPersistence = "result_persistence",
    }
}
