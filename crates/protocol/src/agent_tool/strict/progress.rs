//! What a progress report must keep. That `percent` is between 0 and 100 and no count is below zero
//! holds by type.

use super::{Checker, Problem, Strict};
use crate::agent_tool::ToolProgress;

impl Strict for ToolProgress {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("progress_id", &self.progress_id);
        check.id("invocation_id", &self.invocation_id);
        check.known("status", &self.status);
        check.time("timestamp", &self.timestamp);
        check.optional_id("task_id", self.task_id.as_ref());
        check.refs("partial_result_refs", self.partial_result_refs.as_ref());
        for (at, artifact) in check.all_typed("artifact_refs", self.artifact_refs.as_ref()) {
            check.id(&format!("artifact_refs/{at}/artifact_id"), &artifact.artifact_id);
        }
        check.done()
    }
}
