//! What a hook or a run of one must keep.

use super::{Checker, Problem, Strict};
use crate::agent_tool::ToolHook;

impl Strict for ToolHook {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("hook_id", &self.hook_id);
        check.optional_id("invocation_id", self.invocation_id.as_ref());
        check.optional_id("tool_id", self.tool_id.as_ref());
        check.optional_time("started_at", self.started_at.as_ref());
        check.optional_time("ended_at", self.ended_at.as_ref());
        if self.invocation_id.is_some() {
            check.demand(self.started_at.is_some(), "started_at", "a run has a beginning");
        }
        check.demand(
            self.ended_at.is_none() || self.started_at.is_some(),
            "started_at",
            "what ended has begun",
        );
        for (at, output) in check.all_typed("outputs", self.outputs.as_ref()) {
            check.known(&format!("outputs/{at}/type"), &output.kind);
        }
        check.typed("permission_result", self.permission_result.as_ref());
        if let Some(run) = check.typed("hook_run_id", self.hook_run_id.as_ref()) {
            check.id("hook_run_id", run);
        }
        check.done()
    }
}
