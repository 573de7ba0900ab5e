//! The inputs of a call of which only the facts are left: it was running when the runtime went down, and no
//! secrets are saved while a tool runs that cannot be resumed.

use std::sync::Arc;

use assent_journal::{Entry, Fact, Planned};
use assent_protocol::agent_tool::{InvocationStatus, MutationSource};

use super::FourInputs;

impl FourInputs {
    /// The inputs according to the facts, with sensitive values replaced. Unknown ones are `None`.
    pub(super) fn recorded(planned: &Planned, entries: &[Arc<Entry>]) -> Self {
        let model = planned.model_input.clone();
        let (mut judged, mut edited) = (model.clone(), None);
        let (mut prepared, mut changed) = (false, false);
        let mut ran = false;
        for entry in entries {
            match &entry.draft.fact {
                Fact::Moved(InvocationStatus::Running) => ran = true,
                Fact::Mutated(mutation) => match mutation.source {
                    MutationSource::Runtime | MutationSource::Adapter => prepared = true,
                    _ => changed = true,
                },
                Fact::Decided(decided) => {
                    if let Some(considered) = &decided.considered {
                        judged = considered.input.clone().unwrap_or_else(|| model.clone());
                    }
                    edited = decided.updated_input.clone().or(edited);
                }
                _ => {}
            }
        }
        if !ran {
            return Self { model, observable: None, permission: None, call: None };
        }
        // Hooks got what the runtime had prepared, and the result of their changes was judged.
        let observable = match (prepared, changed) {
            (_, false) => Some(judged.clone()),
            (false, true) => Some(model.clone()),
            (true, true) => None,
        };
        let call = edited.unwrap_or_else(|| judged.clone());
        Self { model, observable, permission: Some(judged), call: Some(call) }
    }
}
