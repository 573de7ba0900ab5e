//! What the record of a changed input must keep.

use super::{Checker, Problem, Strict};
use crate::agent_tool::{MutationSource, ToolInputMutation};

impl Strict for ToolInputMutation {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("mutation_id", &self.mutation_id);
        check.id("invocation_id", &self.invocation_id);
        check.time("created_at", &self.created_at);
        match self.source_type {
            MutationSource::Hook | MutationSource::PermissionPrompt | MutationSource::Adapter => {
                let named = self.source_ref.as_ref().is_some_and(|source| !source.is_empty());
                check.demand(named, "source_ref", "whoever changed the input is named");
            }
            MutationSource::Migration | MutationSource::Runtime => {}
        }
        match &self.changed_fields {
            None => check.problem("changed_fields", "what changed is listed"),
            Some(fields) => {
                for (at, field) in fields.iter().enumerate() {
                    let pointer = field.is_empty() || field.starts_with('/');
                    check.demand(
                        pointer,
                        &format!("changed_fields/{at}"),
                        "it must be a JSON Pointer",
                    );
                }
            }
        }
        check.done()
    }
}
