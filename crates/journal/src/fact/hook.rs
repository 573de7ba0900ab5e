//! Runs of hooks.

use assent_ids::{HookId, HookRunId};
use assent_protocol::agent_tool::{HookEvent, ToolHook};
use serde::{Deserialize, Serialize};

/// A hook began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HookStarted {
    /// The run.
    pub run: HookRunId,
    /// The hook.
    pub hook: HookId,
    /// The event.
    pub event: HookEvent,
}

/// A hook ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HookRan {
    /// The run.
    pub run: HookRunId,
    /// The hook.
    pub hook: HookId,
    /// The event.
    pub event: HookEvent,
    /// Its effects, if there are any, as a record of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Box<ToolHook>>,
}

/// A hook failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HookFailed {
    /// The run.
    pub run: HookRunId,
    /// The hook.
    pub hook: HookId,
    /// The event.
    pub event: HookEvent,
    /// The error.
    pub message: String,
    /// Whether it ends the call.
    pub closed: bool,
}
