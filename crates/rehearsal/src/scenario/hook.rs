//! Hooks: what looks at a call before and after it runs.

use assent_ids::HookId;
use assent_protocol::{
    agent_tool::HookEvent,
    wire::{Millis, Object},
};
use serde_json::Value;

use super::{Progress, Verdict};
use crate::vocabulary::vocabulary;

/// A hook and what it does each time.
#[derive(Clone, Debug, PartialEq)]
pub struct Hook {
    /// Its id.
    pub id: HookId,
    /// When it runs.
    pub event: HookEvent,
    /// Only for tools that this glob names.
    pub tool: Option<String>,
    /// How long it may take.
    pub timeout: Option<Millis>,
    /// What its failure means.
    pub on_failure: OnFailure,
    /// What it does, in order.
    pub effects: Vec<Effect>,
}

vocabulary! {
    /// What the failure of a hook means.
    pub OnFailure {
        /// The call does not go on.
        Closed = "closed",
        /// The hook has no opinion.
        Open = "open",
    }
}

/// One thing that a hook does.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Merges these fields into the input.
    UpdateInput(Object),
    /// Has an opinion about the permission.
    Decide {
        /// The opinion.
        verdict: Verdict,
        /// Why.
        reason: Option<String>,
    },
    /// Adds context for the model.
    AddContext(String),
    /// Says something to people.
    Message(String),
    /// Reports progress.
    Progress(Progress),
    /// Stops the call, for this reason.
    Stop(String),
    /// Replaces the output.
    UpdateOutput(Value),
    /// Breaks, with this message.
    Fail(String),
    /// Takes its time.
    Sleep(Millis),
}
