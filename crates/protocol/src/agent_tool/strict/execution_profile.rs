//! What an execution profile must keep.

use super::{Checker, Problem, Strict};
use crate::agent_tool::ToolExecutionProfile;

impl Strict for ToolExecutionProfile {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("execution_profile_id", &self.execution_profile_id);
        check.known("execution_kind", &self.execution_kind);
        for (name, stated) in [
            ("supports_progress", self.supports_progress),
            ("supports_cancel", self.supports_cancel),
            ("supports_resume", self.supports_resume),
            ("supports_retries", self.supports_retries),
            ("supports_partial_results", self.supports_partial_results),
            ("supports_background", self.supports_background),
            ("supports_artifacts", self.supports_artifacts),
            ("supports_context_modifiers", self.supports_context_modifiers),
            ("sandboxed", self.sandboxed),
        ] {
            check.demand(stated.is_some(), name, "support is stated, also if it is not there");
        }
        if let Some(timeout) = self.timeout_ms {
            check.demand(timeout.0 > 0, "timeout_ms", "it must be at least 1");
        }
        for (at, mapping) in check.all_typed("external_mappings", self.external_mappings.as_ref()) {
            check.nested(&format!("external_mappings/{at}"), mapping);
        }
        check.done()
    }
}
