//! Stage 13: report how it ended. This is the only exit: the terminal result, the last events and the record
//! of the call are made here and written together.

use std::sync::Arc;

use assent_ids::ResultId;
use assent_journal::{Completed, Ended, Fact};
use assent_protocol::agent_tool::{AbortReason, InvocationStatus, TerminalStatus, ToolResult};

use super::{Stop, Trail, persist::Persisted, result};
use crate::scheduler::{self, Slot};

pub(crate) async fn run(
    slot: &Slot,
    trail: &mut Trail,
    end: Result<Persisted, Stop>,
) -> Arc<ToolResult> {
    let Persisted { status, result, id, waiting } = match end {
        Ok(persisted) => persisted,
        Err(stop) => stopped(trail, stop),
    };
    slot.ended(scheduler::Ended::of(status, trail.executed));
    if slot.is_ordered() {
        wait_for_turn(slot, trail, status, &result).await;
    }
    conclude(trail, status, &result, id);
    let result = match trail.finish().await {
        Ok(()) => result,
        Err(error) => result::unrecorded(&result, &error),
    };
    slot.delivered();
    drop(waiting);
    result
}

/// Ends a call whose future was dropped. The last facts are appended without waiting until they are durable.
pub(crate) fn abandoned(trail: &mut Trail) {
    let reason = AbortReason::UserInterruption;
    trail.plan(None);
    trail.cancel_requested(reason);
    let Persisted { status, result, id, .. } = stopped(trail, result::abandoned(trail, reason));
    conclude(trail, status, &result, id);
    trail.finish_unattended();
}

/// The result of a call that a stage ended.
fn stopped(trail: &mut Trail, stop: Stop) -> Persisted {
    trail.plan(None);
    let status = reachable(trail.status(), stop.status);
    trail.name_policies(&stop.policies);
    let id: ResultId = trail.derive_id();
    let result = Arc::new(result::of_stop(trail, id, status, stop));
    Persisted { status: status.into(), result, id, waiting: None }
}

/// The status closest to the wanted one that the state machine allows: a call that cannot fail can be blocked,
/// and every call can be canceled.
fn reachable(from: InvocationStatus, wanted: TerminalStatus) -> TerminalStatus {
    let candidates = [wanted, TerminalStatus::Blocked, TerminalStatus::Failed];
    let reachable = candidates.into_iter().find(|end| from.can_become((*end).into()));
    reachable.unwrap_or(TerminalStatus::Canceled)
}

/// Waits until the result may be released. A call that has to wait is recorded as complete, so that it does not
/// run again after a crash.
async fn wait_for_turn(
    slot: &Slot,
    trail: &mut Trail,
    status: InvocationStatus,
    result: &Arc<ToolResult>,
) {
    if !slot.is_my_turn() {
        trail.record(Fact::Completed(Box::new(Completed { status, result: Arc::clone(result) })));
        trail.flush();
        slot.my_turn_to_deliver().await;
        trail.update_time();
        trail.note_late_cancel(slot.aborted());
    }
    if trail.status().can_become(InvocationStatus::Yielded)
        && InvocationStatus::Yielded.can_become(status)
    {
        trail.enter(InvocationStatus::Yielded);
    }
}

/// The last facts of a call.
fn conclude(trail: &mut Trail, status: InvocationStatus, result: &Arc<ToolResult>, id: ResultId) {
    trail.record(Fact::Resulted(Arc::clone(result)));
    trail.enter(status);
    let ended = summary(trail, id);
    trail.record(Fact::Ended(Box::new(ended)));
}

/// The last fact, with everything that the trail has collected.
fn summary(trail: &mut Trail, id: ResultId) -> Ended {
    let planned = &trail.planned;
    let of_tool = trail.tool.iter().flat_map(|tool| &tool.mappings);
    Ended {
        tool: trail.tool_id(),
        requested: Arc::clone(&planned.requested),
        definition: trail.definition,
        surface: planned.surface,
        inputs: trail.shown_inputs(),
        transitions: std::mem::take(&mut trail.transitions),
        result: id,
        actor: planned.actor.clone(),
        native_call_id: planned.native_call_id.clone(),
        mappings: of_tool.chain(&planned.mappings).cloned().collect(),
        decisions: std::mem::take(&mut trail.decisions),
        policies: std::mem::take(&mut trail.policies),
        hooks: std::mem::take(&mut trail.hooks.runs),
        mutations: std::mem::take(&mut trail.inputs.mutation_ids),
        depends_on: planned.depends_on.clone(),
        retry_of: planned.retry_of,
        artifacts: std::mem::take(&mut trail.artifacts),
        scheduler: trail.scheduler.take(),
        scheduler_policy: trail.scheduler_policy.clone(),
        attempts: trail.attempts,
        trace: planned.trace.clone(),
        executed: trail.executed,
    }
}
