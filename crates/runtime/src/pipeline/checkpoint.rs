//! The state that a call needs to continue after a crash. It holds the real values of sensitive fields, so it
//! is kept apart from the journal's facts and erased when the call ends.

mod written;

use std::sync::Arc;

use assent_ids::{HookId, InvocationId};
use assent_journal::{Binding, Planned, SavedState};
use assent_json::Json;
use assent_policy::{Decision, Opinion};
use assent_protocol::agent_tool::Behavior;
use serde::{Deserialize, Serialize};

use super::{outcome::SavedOutcome, trail::FourInputs};

/// The state of a call that waits for something outside of the pipeline.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "written::Written", into = "written::Written")]
pub(crate) struct Checkpoint {
    pub(crate) planned: Arc<Planned>,
    pub(crate) observable: Option<Json>,
    pub(crate) permission: Option<Json>,
    pub(crate) call: Option<Json>,
    pub(crate) approved: Option<Arc<Binding>>,
    pub(crate) opinions: Vec<SavedOpinion>,
    pub(crate) messages: Vec<String>,
    pub(crate) context: Vec<String>,
    pub(crate) hook_chain: Vec<HookId>,
    /// The outcome, once the tool has finished.
    pub(crate) outcome: Option<SavedOutcome>,
}

/// The opinion of a hook in the form in which it is saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedOpinion {
    behavior: Behavior,
    hook: HookId,
    reason: Option<String>,
    authoritative: bool,
}

impl SavedOpinion {
    pub(crate) fn of(opinion: &Opinion) -> Self {
        Self {
            behavior: opinion.decision.behavior(),
            hook: opinion.hook.clone(),
            reason: opinion.reason.clone(),
            authoritative: opinion.authoritative,
        }
    }

    pub(crate) fn restored(self) -> Opinion {
        Opinion {
            // An opinion that cannot be read counts as `ask`.
            decision: Decision::of(self.behavior).unwrap_or(Decision::Ask),
            hook: self.hook,
            reason: self.reason,
            authoritative: self.authoritative,
        }
    }
}

impl Checkpoint {
    /// The four inputs.
    pub(crate) fn inputs(&self) -> FourInputs {
        FourInputs {
            model: self.planned.model_input.clone(),
            observable: self.observable.clone(),
            permission: self.permission.clone(),
            call: self.call.clone(),
        }
    }

    /// The form in which a journal saves it.
    pub(crate) fn saved(&self, invocation: InvocationId) -> SavedState {
        // It consists of strings, ids and JSON that was read before, so serialization cannot fail.
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        SavedState { invocation, bytes: bytes.into() }
    }

    /// Reads a saved state; `None` for a call that was already running.
    pub(crate) fn of(saved: &SavedState) -> Option<Self> {
        serde_json::from_slice(&saved.bytes).ok()
    }
}
