//! Scripted hooks.

use assent_ids::HookId;
use assent_policy::Decision;
use assent_protocol::{
    agent_tool::HookEvent,
    wire::{Millis, Object},
};
use serde_json::Value;

use super::Progress;
use crate::vocabulary::vocabulary;

/// A hook and its effects.
#[derive(Clone, Debug, PartialEq)]
pub struct Hook {
    /// The id of the hook.
    pub id: HookId,
    /// The event at which it runs.
    pub event: HookEvent,
    /// A glob for the tools; `None` for all.
    pub tool: Option<String>,
    /// The timeout.
    pub timeout: Option<Millis>,
    /// What a failure means.
    pub on_failure: OnFailure,
    /// The effects, in order.
    pub effects: Vec<Effect>,
}

vocabulary! {
    /// What the failure of a hook means.
    pub OnFailure {
        /// The call is stopped.
        Closed = "closed",
        /// The hook has no opinion.
        Open = "open",
    }
}

/// An effect of a hook.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Merges these fields into the input.
    UpdateInput(Object),
    /// Gives an opinion about the permission.
    Decide {
        /// The decision.
        decision: Decision,
        /// The reason.
        reason: Option<String>,
    },
    /// Adds context for the model.
    AddContext(String),
    /// Shows a message to people.
    Message(String),
    /// Reports progress.
    Progress(Progress),
    /// Stops the call with this reason.
    Stop(String),
    /// Replaces the output.
    UpdateOutput(Value),
    /// Fails with this message.
    Fail(String),
    /// Waits.
    Sleep(Millis),
}
