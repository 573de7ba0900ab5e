//! What a result must keep.

use super::{Checker, Problem, Strict};
use crate::agent_tool::{ResultStatus, ToolError, ToolResult};

impl Strict for ToolResult {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("result_id", &self.result_id);
        check.id("invocation_id", &self.invocation_id);
        check.time("created_at", &self.created_at);
        let error = check.typed("error", self.error.as_deref());
        if let Some(error) = error {
            check.nested("error", error);
        }
        if let Some(status) = check.known("status", &self.status) {
            failure(self, status, error, &mut check);
        }
        content(self, &mut check);
        check.done()
    }
}

fn failure(
    result: &ToolResult,
    status: ResultStatus,
    error: Option<&ToolError>,
    check: &mut Checker,
) {
    match (result.is_error, status.is_error()) {
        (None, _) => check.problem("is_error", "it is always there"),
        (Some(stated), Some(expected)) if stated != expected => {
            check.problem("is_error", format!("a result that is `{status}` has `{expected}`"));
        }
        (Some(_), _) => {}
    }
    check.demand(
        result.is_error == Some(result.error.is_some()),
        "error",
        "it is there exactly if the result is an error",
    );
    if status.is_synthetic() {
        let synthetic = check.typed("synthetic", result.synthetic.as_ref()) == Some(&true);
        check.demand(synthetic, "synthetic", "the runtime says that it wrote this");
        let explained = error.is_some_and(|error| error.abort_reason.is_some());
        check.demand(explained, "error/abort_reason", "the runtime says why it ended the call");
    }
}

fn content(result: &ToolResult, check: &mut Checker) {
    for (name, blocks) in
        [("content", &result.content), ("model_facing_content", &result.model_facing_content)]
    {
        for (at, block) in check.all_typed(name, blocks.as_ref()) {
            check.known(&format!("{name}/{at}/type"), &block.kind);
        }
    }
    for (at, artifact) in check.all_typed("artifact_refs", result.artifact_refs.as_ref()) {
        check.id(&format!("artifact_refs/{at}/artifact_id"), &artifact.artifact_id);
    }
    for (at, resource) in check.all_typed("resource_refs", result.resource_refs.as_ref()) {
        check.text(&format!("resource_refs/{at}/uri"), &resource.uri);
    }
    check.ids("persistence_refs", result.persistence_refs.as_ref());
    check.refs("evidence_refs", result.evidence_refs.as_ref());
    check.refs("policy_refs", result.policy_refs.as_ref());
    for (at, warning) in
        check.typed("warnings", result.warnings.as_ref()).into_iter().flatten().enumerate()
    {
        check.nested(&format!("warnings/{at}"), warning);
    }
    check.typed("output_hook_refs", result.output_hook_refs.as_ref());
    check.typed("native_output_ref", result.native_output_ref.as_ref());
    check.typed("input_mutations", result.input_mutations.as_ref());
    if check.typed("empty_result", result.empty_result.as_ref()) == Some(&true) {
        let empty = result.content.as_ref().is_some_and(Vec::is_empty);
        check.demand(empty, "content", "an empty result has an empty list of blocks");
    }
}
