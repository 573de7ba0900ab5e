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
    /// What it reacts to.
    pub event: HookEvent,
}

/// A hook ended, and what it said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HookRan {
    /// The run.
    pub run: HookRunId,
    /// The hook.
    pub hook: HookId,
    /// What it reacts to.
    pub event: HookEvent,
    /// What it said, if it said anything: a record of the run with nothing in it but that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Box<ToolHook>>,
}

/// A hook broke.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HookFailed {
    /// The run.
    pub run: HookRunId,
    /// The hook.
    pub hook: HookId,
    /// What it reacts to.
    pub event: HookEvent,
    /// What went wrong.
    pub message: String,
    /// Whether the call ends because of it.
    pub closed: bool,
}
