//! The inputs of a call of which only the facts are left: it was running when the runtime went down, and a tool that
//! cannot go on keeps none of its secrets while it runs.

use std::sync::Arc;

use assent_journal::{Entry, Fact, Planned};
use assent_protocol::agent_tool::{InvocationStatus, MutationSource};

use super::FourInputs;

impl FourInputs {
    /// What the facts say, with sensitive values replaced. What they do not say is not made up.
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
        // Shown to hooks was what the runtime had prepared, and judged what they made of it.
        let observable = match (prepared, changed) {
            (_, false) => Some(judged.clone()),
            (false, true) => Some(model.clone()),
            (true, true) => None,
        };
        let call = edited.unwrap_or_else(|| judged.clone());
        Self { model, observable, permission: Some(judged), call: Some(call) }
    }
}
