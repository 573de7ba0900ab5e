//! The serialized form of a checkpoint: the inputs are mostly the same and may be large, so equal ones are
//! written once.

use std::sync::Arc;

use assent_ids::HookId;
use assent_journal::{Binding, Condensed, Inputs, LaterInput, Planned};
use assent_json::Json;
use serde::{Deserialize, Serialize};

use super::{Checkpoint, SavedOpinion, SavedOutcome};

#[derive(Serialize, Deserialize)]
pub(super) struct Written {
    planned: Arc<Planned>,
    observable: Option<Json>,
    permission: Option<Json>,
    call: Option<Json>,
    /// The inputs that are the same as the one before them.
    #[serde(default)]
    unchanged: Vec<LaterInput>,
    approved: Option<Arc<Binding>>,
    opinions: Vec<SavedOpinion>,
    messages: Vec<String>,
    context: Vec<String>,
    hook_chain: Vec<HookId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<SavedOutcome>,
}

impl From<Checkpoint> for Written {
    fn from(checkpoint: Checkpoint) -> Self {
        let inputs = Inputs {
            model: checkpoint.planned.model_input.clone(),
            observable: checkpoint.observable,
            permission: checkpoint.permission,
            call: checkpoint.call,
        };
        let Condensed { observable, permission, call, unchanged } = inputs.condensed();
        Self {
            planned: checkpoint.planned,
            observable,
            permission,
            call,
            unchanged,
            approved: checkpoint.approved,
            opinions: checkpoint.opinions,
            messages: checkpoint.messages,
            context: checkpoint.context,
            hook_chain: checkpoint.hook_chain,
            outcome: checkpoint.outcome,
        }
    }
}

impl From<Written> for Checkpoint {
    fn from(written: Written) -> Self {
        let Written { observable, permission, call, unchanged, .. } = written;
        let condensed = Condensed { observable, permission, call, unchanged };
        let inputs = condensed.expanded(written.planned.model_input.clone());
        Self {
            planned: written.planned,
            observable: inputs.observable,
            permission: inputs.permission,
            call: inputs.call,
            approved: written.approved,
            opinions: written.opinions,
            messages: written.messages,
            context: written.context,
            hook_chain: written.hook_chain,
            outcome: written.outcome,
        }
    }
}
