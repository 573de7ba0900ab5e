//! What a call must keep.

use super::{Checker, Problem, Strict};
use crate::agent_tool::{InvocationStatus, Lifecycle, StatusTransition, ToolInvocation};

impl Strict for ToolInvocation {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("invocation_id", &self.invocation_id);
        check.id("tool_id", &self.tool_id);
        check.optional_id("surface_id", self.surface_id.as_ref());
        check.optional_id("native_call_id", self.native_call_id.as_ref());
        check.time("created_at", &self.created_at);
        check.optional_time("started_at", self.started_at.as_ref());
        check.optional_time("ended_at", self.ended_at.as_ref());
        if let Some(status) = check.known("status", &self.status) {
            let ended = status.is_terminal();
            check.demand(
                ended == self.ended_at.is_some(),
                "ended_at",
                "it is there exactly if the call has ended",
            );
            let ran = matches!(status, InvocationStatus::Running | InvocationStatus::Succeeded);
            check.demand(!ran || self.started_at.is_some(), "started_at", "the call has run");
        }
        transitions(self, &mut check);
        references(self, &mut check);
        check.done()
    }
}

fn transitions(call: &ToolInvocation, check: &mut Checker) {
    let name = "status_transitions";
    if call.status_transitions.is_none() {
        check.problem(name, "every state is kept with its time");
        return;
    }
    let steps: Vec<StatusTransition> = check
        .all_typed(name, call.status_transitions.as_ref())
        .into_iter()
        .map(|(at, step)| {
            check.time(&format!("{name}/{at}/at"), &step.at);
            step.clone()
        })
        .collect();
    match Lifecycle::replay(&steps) {
        Ok(path) => {
            check.demand(call.status == path.status(), name, "it must end with the status");
            let ran = path.started_at().is_some();
            check.demand(
                ran == call.started_at.is_some(),
                "started_at",
                "it is there exactly if the call has run",
            );
        }
        Err(error) => check.problem(name, error.to_string()),
    }
}

fn references(call: &ToolInvocation, check: &mut Checker) {
    check.ids("permission_decision_refs", call.permission_decision_refs.as_ref());
    check.refs("hook_refs", call.hook_refs.as_ref());
    check.refs("policy_refs", call.policy_refs.as_ref());
    check.refs("runtime_refs", call.runtime_refs.as_ref());
    check.refs("evidence_refs", call.evidence_refs.as_ref());
    for (at, artifact) in check.all_typed("artifact_refs", call.artifact_refs.as_ref()) {
        check.id(&format!("artifact_refs/{at}/artifact_id"), &artifact.artifact_id);
    }
    check.typed("scheduler", call.scheduler.as_ref());
    let depends_on = check.typed("depends_on", call.depends_on.as_ref());
    check.ids("depends_on", depends_on);
    let itself = depends_on.is_some_and(|ids| ids.contains(&call.invocation_id));
    check.demand(!itself, "depends_on", "a call cannot wait for itself");
    let mutations = check.typed("mutation_refs", call.mutation_refs.as_ref());
    check.ids("mutation_refs", mutations);
    if let Some(attempt) = check.typed("attempt", call.attempt.as_ref()) {
        check.demand(attempt.0 >= 1, "attempt", "attempts are counted from 1");
    }
    let retry_of = check.typed("retry_of", call.retry_of.as_ref());
    check.optional_id("retry_of", retry_of);
    for (at, mapping) in check
        .typed("external_mappings", call.external_mappings.as_ref())
        .into_iter()
        .flatten()
        .enumerate()
    {
        check.nested(&format!("external_mappings/{at}"), mapping);
    }
    check.typed("requested_name", call.requested_name.as_ref());
    if call.tool_id.as_str().starts_with("unresolved:") {
        let named = call.requested_name.is_some();
        check.demand(named, "requested_name", "a tool that does not exist was asked for by a name");
    }
    check.typed("schema_digest", call.schema_digest.as_ref());
    let result = check.typed("result_ref", call.result_ref.as_ref());
    check.optional_id("result_ref", result);
}
