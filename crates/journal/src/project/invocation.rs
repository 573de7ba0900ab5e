//! `tool_invocation`: the record of a call that has ended.

use assent_json::Json;
use assent_protocol::{
    agent_tool::{InvocationStatus, StatusTransition, ToolInvocation},
    wire::{Count, Loose},
};

use super::{
    ProjectedRecord,
    call::{filled, time},
    event::{EventMaker, digest_ref, trace_ref},
    open_call::OpenCall,
};
use crate::Ended;

pub(super) fn project<'r>(
    ended: &Ended,
    known: &OpenCall,
    events: &EventMaker<'_>,
) -> Vec<ProjectedRecord<'r>> {
    let Some(invocation) = events.invocation() else { return Vec::new() };
    let path = &ended.transitions;
    let created = path.first().map_or(events.at().get(), |(_, at)| *at);
    let status = path.last().map_or(InvocationStatus::Failed, |(status, _)| *status);
    let mut record = ToolInvocation::new(invocation, &*ended.tool, status, time(created));
    record.started_at = path
        .iter()
        .find(|(status, _)| *status == InvocationStatus::Running)
        .map(|(_, at)| time(*at));
    record.ended_at =
        path.last().filter(|(status, _)| status.is_terminal()).map(|(_, at)| time(*at));
    let transition =
        |(status, at): &(_, _)| Loose::Typed(StatusTransition::new(*status, time(*at)));
    record.status_transitions = Some(path.iter().map(transition).collect());
    inputs(&mut record, ended);
    references(&mut record, ended);
    let session = known.session.iter().map(ToString::to_string);
    record.runtime_refs = filled(session.chain(known.batch.map(|batch| batch.to_string())));
    record.extra.insert("executed".to_owned(), ended.executed.into());
    vec![Box::new(record).into()]
}

/// The four inputs, each with its digest.
fn inputs(record: &mut ToolInvocation, ended: &Ended) {
    let both = |input: Option<&Json>| {
        (input.map(Json::to_value), input.map(|input| digest_ref(input.digest())))
    };
    let inputs = &ended.inputs;
    (record.model_input, record.model_input_ref) = both(Some(&inputs.model));
    (record.observable_input, record.observable_input_ref) = both(inputs.observable.as_ref());
    (record.permission_input, record.permission_input_ref) = both(inputs.permission.as_ref());
    (record.call_input, record.call_input_ref) = both(inputs.call.as_ref());
}

fn references(record: &mut ToolInvocation, ended: &Ended) {
    record.surface_id = Some(ended.surface.into());
    record.native_call_id = ended.native_call_id.as_ref().map(Into::into);
    record.requested_name = Some(Loose::Typed(ended.requested.to_string()));
    record.schema_digest = ended.definition.map(|definition| Loose::Typed(digest_ref(definition)));
    record.actor_ref = ended.actor.as_ref().map(ToString::to_string);
    record.policy_refs = filled(ended.policies.iter().cloned());
    record.permission_decision_refs = filled(ended.decisions.iter().map(Into::into));
    record.hook_refs = filled(ended.hooks.iter().map(ToString::to_string));
    record.mutation_refs = filled(ended.mutations.iter().map(Into::into)).map(Loose::Typed);
    record.depends_on = filled(ended.depends_on.iter().map(Into::into)).map(Loose::Typed);
    record.retry_of = ended.retry_of.map(|call| Loose::Typed(call.into()));
    record.result_ref = Some(Loose::Typed(ended.result.into()));
    record.external_mappings = filled(ended.mappings.iter().cloned()).map(Loose::Typed);
    record.artifact_refs = filled(ended.artifacts.iter().cloned().map(Loose::Typed));
    record.scheduler = ended.scheduler.as_ref().map(|facts| Loose::Typed((**facts).clone()));
    record.scheduler_policy_ref = ended.scheduler_policy.as_ref().map(|id| (&**id).into());
    record.attempt = Some(Loose::Typed(Count(u64::from(ended.attempts.max(1)))));
    record.telemetry_refs = ended.trace.as_ref().map(|trace| vec![trace_ref(trace)]);
}
