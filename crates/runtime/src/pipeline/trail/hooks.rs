//! What hooks contributed to a call.

use assent_ids::{HookId, HookRunId};
use assent_json::Digest;
use assent_policy::Opinion;

use crate::hooks::Registration;

/// The hooks that ran and their effects.
#[derive(Default)]
pub(crate) struct HookTrail {
    /// Every run, in order.
    pub(crate) runs: Vec<HookRunId>,
    /// The runs that changed the output.
    pub(crate) output_runs: Vec<HookRunId>,
    /// The decisions that hooks argue for.
    pub(crate) opinions: Vec<Opinion>,
    /// Texts for the model besides the result.
    pub(crate) context: Vec<String>,
    /// Texts for people.
    pub(crate) messages: Vec<String>,
    /// Why a hook wants the agent to stop.
    pub(crate) stop: Option<String>,
    /// Every hook that could have changed the call, in order.
    pub(super) chain: Vec<HookId>,
}

impl HookTrail {
    /// Adds a hook that could have changed the call.
    pub(crate) fn extend_chain(&mut self, hook: &Registration) {
        self.chain.push(hook.id.clone());
    }

    /// The digest of the hooks that could have changed the call, in order.
    pub(crate) fn chain_digest(&self) -> Digest {
        let lines: Vec<&str> = self.chain.iter().map(HookId::as_str).collect();
        Digest::of(lines.join("\n").as_bytes())
    }
}
