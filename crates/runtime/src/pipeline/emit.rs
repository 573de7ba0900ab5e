//! Stage 13: tell everybody how it ended. The only exit: whatever happened in whatever stage, the
//! terminal result, the last events and the record of the call are made here, and written together.

use std::sync::Arc;

use assent_ids::ResultId;
use assent_journal::{Completed, Ended, Fact};
use assent_protocol::agent_tool::{AbortReason, InvocationStatus, TerminalStatus, ToolResult};

use super::{Stop, Trail, persist::Persisted, result};
use crate::scheduler::{self, Place};

pub(crate) async fn run(
    place: &Place,
    mut trail: Trail,
    end: Result<Persisted, Stop>,
) -> Arc<ToolResult> {
    let (status, result) = match end {
        Ok(persisted) => (persisted.status, persisted.result),
        Err(stop) => stopped(&mut trail, stop),
    };
    place.ended(as_siblings_see_it(status, &trail));
    if place.is_ordered() {
        wait_for_turn(place, &mut trail, status, &result).await;
    }
    conclude(&mut trail, status, &result);
    let result = match trail.finish().await {
        Ok(()) => result,
        Err(error) => result::unrecorded(&result, &error),
    };
    place.delivered();
    result
}

/// A call that was dropped before it ended: its caller went away. There is nobody to wait for the
/// journal, but what is appended is written.
pub(crate) fn abandoned(trail: &mut Trail) {
    let reason = AbortReason::UserInterruption;
    trail.plan(None);
    trail.cancel_requested(reason);
    let (status, result) = stopped(trail, result::abandoned(trail, reason));
    conclude(trail, status, &result);
    trail.finish_unheard();
}

/// The result of a call that a stage ended.
fn stopped(trail: &mut Trail, stop: Stop) -> (InvocationStatus, Arc<ToolResult>) {
    trail.plan(None);
    let status = reachable(trail.status(), stop.status);
    trail.policies.extend(stop.policies.iter().cloned());
    (status.into(), Arc::new(result::of_stop(trail, status, stop)))
}

/// The end that the state machine has nearest to the wanted one: where a call cannot fail it can be
/// blocked, and wherever it is it can be canceled.
fn reachable(from: InvocationStatus, wanted: TerminalStatus) -> TerminalStatus {
    let candidates = [wanted, TerminalStatus::Blocked, TerminalStatus::Failed];
    let reachable = candidates.into_iter().find(|end| from.can_become((*end).into()));
    reachable.unwrap_or(TerminalStatus::Canceled)
}

/// Results come out in order. A call that has to wait is recorded as complete, so that a crash in the
/// meantime cannot make it run again.
async fn wait_for_turn(
    place: &Place,
    trail: &mut Trail,
    status: InvocationStatus,
    result: &Arc<ToolResult>,
) {
    if !place.is_my_turn() {
        trail.record(Fact::Completed(Box::new(Completed { status, result: Arc::clone(result) })));
        trail.flush();
        place.my_turn_to_deliver().await;
    }
    if trail.status().can_become(InvocationStatus::Yielded)
        && InvocationStatus::Yielded.can_become(status)
    {
        trail.enter(InvocationStatus::Yielded);
    }
}

/// The last facts of a call.
fn conclude(trail: &mut Trail, status: InvocationStatus, result: &Arc<ToolResult>) {
    trail.record(Fact::Resulted(Arc::clone(result)));
    trail.enter(status);
    let ended = summary(trail, result);
    trail.record(Fact::Ended(Box::new(ended)));
}

fn summary(trail: &Trail, result: &ToolResult) -> Ended {
    let planned = &trail.planned;
    let of_tool = trail.tool.iter().flat_map(|tool| &tool.mappings);
    Ended {
        tool: trail.tool_id(),
        requested: Arc::clone(&planned.requested),
        definition: trail.definition,
        surface: planned.surface,
        inputs: trail.shown_inputs(),
        transitions: trail.transitions().to_vec(),
        result: result_id(trail, result),
        actor: planned.actor.clone(),
        native_call_id: planned.native_call_id.clone(),
        mappings: of_tool.chain(&planned.mappings).cloned().collect(),
        decisions: trail.decisions.clone(),
        policies: trail.policies.clone(),
        hooks: trail.hooks.clone(),
        mutations: trail.mutation_ids.clone(),
        depends_on: planned.depends_on.clone(),
        retry_of: planned.retry_of,
        artifacts: trail.artifacts.clone(),
        scheduler: trail.scheduler.clone(),
        scheduler_policy: None,
        attempts: trail.attempts,
        trace: planned.trace.clone(),
        executed: trail.executed,
    }
}

fn result_id(trail: &Trail, result: &ToolResult) -> ResultId {
    // Results that are made here have ids that are made here.
    result
        .result_id
        .strict()
        .unwrap_or_else(|_| super::trail::derived(trail.invocation, trail.now(), 0))
}

/// What others of the batch make of it. A call that was not let run is not one that failed.
fn as_siblings_see_it(status: InvocationStatus, trail: &Trail) -> scheduler::Ended {
    match status {
        InvocationStatus::Succeeded => scheduler::Ended::Good,
        InvocationStatus::TimedOut if trail.executed => scheduler::Ended::TimedOut,
        InvocationStatus::Failed => scheduler::Ended::Failed,
        InvocationStatus::Canceled => scheduler::Ended::Canceled,
        _ => scheduler::Ended::Refused,
    }
}
