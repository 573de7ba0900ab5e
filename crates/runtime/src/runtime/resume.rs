//! Resuming calls after a crash.
//!
//! | the journal says          | what happens                                                        |
//! |---------------------------|---------------------------------------------------------------------|
//! | hooks were running        | they run again, on the same input                                    |
//! | a person was asked        | the same question is asked again, for the remaining time             |
//! | a person had approved     | the call is scheduled                                                |
//! | the tool was running      | it is resumed if the tool supports that; otherwise the call fails, and the result says that the side effects are unknown |
//! | the tool had finished     | its outcome is processed, even if the tool was changed or removed    |
//! | the result was known      | it is delivered                                                      |
//!
//! A call that cannot be resumed, because its tool was removed or changed, ends.

use std::{collections::BTreeSet, sync::Arc};

use assent_ids::{BatchId, InvocationId};
use assent_journal::{Completed, Entry, Fact, JournalError, Planned, SavedState};
use assent_protocol::agent_tool::{
    Abort, AbortOutcome, AbortReason, ErrorClass, InvocationStatus, SiblingFailurePolicy,
    TerminalStatus, ToolResult,
};
use tokio::sync::mpsc;

use super::{
    BatchResults, Inner, Runtime, active::ActiveCallGuard, call::deliver_for, groups::groups,
};
use crate::{
    catalog::Tool,
    control::Control,
    pipeline::{
        self, Calling, Resumed, Stage, Start, Stop, Trail, checkpoint::Checkpoint,
        observe::Observed, persist::Persisted, pre_hooks::Hooked,
    },
    results::{DEFINITION_CHANGED, ErrorDraft, ResultDraft},
    scheduler::{Member, SchedulerPolicy, Slot},
    surface::Resolution,
};

/// A call that a crash interrupted.
pub(super) struct Interrupted {
    pub(super) invocation: InvocationId,
    entries: Vec<Arc<Entry>>,
    checkpoint: Option<Checkpoint>,
    pub(super) batch: Option<(BatchId, u32)>,
}

/// A call that is about to be resumed.
struct ResumingCall {
    call: Interrupted,
    control: Arc<Control>,
    slot: Slot,
    /// Dependencies in other batches that are not active.
    others: Vec<InvocationId>,
    /// What a failed dependency does to it.
    siblings: SiblingFailurePolicy,
    /// The same call, if it is active already.
    entered: Result<ActiveCallGuard, Arc<Control>>,
}

impl Runtime {
    /// Resumes every call in the journal that has not ended. A sender can also request its call again under
    /// the same id to get the result.
    ///
    /// # Errors
    /// If the journal cannot be read. No call was resumed then.
    pub async fn resume(&self) -> Result<BatchResults, JournalError> {
        let mut calls = Vec::new();
        for saved in self.inner.ctx.journal.saved_states().await? {
            let entries = self.inner.ctx.journal.of_call(saved.invocation).await?;
            calls.push(Interrupted::new(&saved, entries));
        }
        let (released, results) = mpsc::unbounded_channel();
        let invocations = calls.iter().map(|call| call.invocation).collect();
        // One after the other, so that the dependencies of a batch are active before the batch is.
        for resuming in groups(calls).into_iter().flat_map(|group| self.group(group)) {
            let inner = Arc::clone(&self.inner);
            let released = released.clone();
            let invocation = resuming.call.invocation;
            tokio::spawn(async move {
                let ResumingCall { call, control, slot, others, siblings, entered } = resuming;
                let guard = match entered {
                    Ok(guard) => guard,
                    Err(other) => return deliver_for(&slot, other.concluded().await).await,
                };
                inner.cancel_on_failed_dependency(&others, siblings, &control).await;
                if let Some(result) = inner.resume_call(call, guard, control, slot).await {
                    // The results need not be read: they are in the journal.
                    drop(released.send((invocation, result.into())));
                }
            });
        }
        Ok(BatchResults::new(invocations, results))
    }

    /// Makes the calls of one batch active, with slots in the same batch.
    fn group(&self, calls: Vec<Interrupted>) -> Vec<ResumingCall> {
        let controls: Vec<_> = calls.iter().map(|_| Arc::new(Control::default())).collect();
        let members = calls.iter().zip(&controls).map(|(call, control)| Member {
            invocation: call.invocation,
            control: Arc::clone(control),
            depends_on: call.depends_on().collect(),
        });
        let policy = self.policy_of(&calls);
        let siblings = policy.siblings;
        let slots = match self.inner.scheduler.batch(policy, members.collect()) {
            Ok(slots) if calls.first().is_some_and(|call| call.batch.is_some()) => slots,
            _ => controls
                .iter()
                .map(|control| self.inner.scheduler.single(Arc::clone(control)))
                .collect(),
        };
        let own: BTreeSet<_> = calls.iter().map(|call| call.invocation).collect();
        calls
            .into_iter()
            .zip(controls)
            .zip(slots)
            .map(|((call, control), slot)| {
                let depends_on: Vec<_> = call.depends_on().collect();
                let outside =
                    self.inner.outside_dependencies(&depends_on, |call| own.contains(&call));
                let slot = slot.after(outside.running, siblings);
                let entered = self.inner.active.enter(call.invocation, &control);
                ResumingCall { call, control, slot, others: outside.others, siblings, entered }
            })
            .collect()
    }

    /// The scheduler policy of a batch.
    fn policy_of(&self, calls: &[Interrupted]) -> Arc<SchedulerPolicy> {
        let planned = calls.iter().find_map(Interrupted::planned);
        let own = planned.and_then(|planned| planned.scheduling.as_deref());
        let own = own.and_then(SchedulerPolicy::recorded);
        own.map_or_else(|| Arc::clone(&self.inner.batch_policy), Arc::new)
    }
}

impl Interrupted {
    fn new(saved: &SavedState, entries: Vec<Arc<Entry>>) -> Self {
        let planned = planned(&entries);
        let batch = planned.and_then(|planned| Some((planned.batch?, planned.position)));
        Self { invocation: saved.invocation, entries, checkpoint: Checkpoint::of(saved), batch }
    }

    fn planned(&self) -> Option<&Planned> {
        planned(&self.entries)
    }

    /// The calls that have to end first.
    pub(super) fn depends_on(&self) -> impl Iterator<Item = InvocationId> {
        self.planned().into_iter().flat_map(|planned| &planned.depends_on).copied()
    }

    fn completed(&self) -> Option<&Completed> {
        self.entries.iter().find_map(|entry| match &entry.draft.fact {
            Fact::Completed(completed) => Some(&**completed),
            _ => None,
        })
    }
}

impl Inner {
    /// Resumes one call because its sender requests it again.
    pub(super) async fn continued(
        &self,
        guard: ActiveCallGuard,
        control: Arc<Control>,
        slot: Slot,
    ) -> Arc<ToolResult> {
        let invocation = guard.invocation();
        let saved = self.ctx.journal.saved_states().await.unwrap_or_default();
        let saved = saved.into_iter().find(|saved| saved.invocation == invocation);
        // A known call without a saved state is one whose end was being written: resumed without its
        // state, it ends.
        let saved = saved.unwrap_or_else(|| SavedState { invocation, bytes: Arc::default() });
        let entries = self.ctx.journal.of_call(invocation).await.unwrap_or_default();
        let call = Interrupted::new(&saved, entries);
        match self.resume_call(call, guard, control, slot).await {
            Some(result) => result,
            None => self.unreadable(invocation),
        }
    }

    /// The result of a call that the journal knows and cannot read.
    pub(super) fn unreadable(&self, invocation: InvocationId) -> Arc<ToolResult> {
        let mut draft = ResultDraft::new(
            self.minter.mint(),
            invocation,
            self.ctx.now(),
            TerminalStatus::Failed,
        );
        draft.error = Some(ErrorDraft::new(
            ErrorClass::DependencyUnavailable,
            "the journal cannot be read: ask for the call again later",
        ));
        draft.cause.class = Some(ErrorClass::DependencyUnavailable);
        draft.assemble().into()
    }

    /// Resumes a call; `None` if the journal does not know it.
    async fn resume_call(
        &self,
        call: Interrupted,
        guard: ActiveCallGuard,
        control: Arc<Control>,
        slot: Slot,
    ) -> Option<Arc<ToolResult>> {
        // Moved here so that it is dropped after the trail, which records an abandoned call.
        let guard = guard;
        let slot = Arc::new(slot);
        let mut trail =
            Trail::restore(&self.ctx, call.invocation, &call.entries, call.checkpoint.clone())?;
        control.on_interrupt(self.interrupt_behavior(&slot));
        let start = self.start(&call, &mut trail, &control, &slot);
        let result = pipeline::run(&self.ctx, &slot, start, &mut trail).await;
        control.end(&result);
        drop(guard);
        Some(result)
    }

    fn start(
        &self,
        call: &Interrupted,
        trail: &mut Trail,
        control: &Arc<Control>,
        slot: &Arc<Slot>,
    ) -> Start {
        if let Some(completed) = call.completed() {
            return Start::Over(Ok(Persisted::known(completed, trail)));
        }
        let same_tool = self.same_tool(trail);
        if let Some(behavior) = trail.tool.as_ref().and_then(|tool| tool.interrupt) {
            control.on_interrupt(behavior);
        }
        let planned = Arc::clone(&trail.planned);
        let calling = |tool: Arc<Tool>, resumed: Resumed| Calling {
            timeout: Calling::timeout_of(&tool, &planned),
            tool,
            control: Arc::clone(control),
            slot: Arc::clone(slot),
            resumed,
        };
        let finished = call.checkpoint.as_ref().and_then(|checkpoint| checkpoint.outcome.clone());
        if let Some(outcome) = finished {
            return match trail.tool.clone() {
                Some(tool) => {
                    Start::Finished(outcome.restored(calling(tool, Resumed::default()), trail))
                }
                None => Start::Over(Ok(outcome.without_tool(trail))),
            };
        }
        let tool = match same_tool {
            Ok(tool) => tool,
            Err(stop) => return Start::Over(Err(stop)),
        };
        let Some(checkpoint) = &call.checkpoint else { return Start::Over(Err(lost())) };
        let status = trail.status();
        let was_running = trail.executed;
        let resumed = Resumed {
            asked: trail.asked.clone().filter(|_| checkpoint.approved.is_none()),
            approved: checkpoint.approved.clone(),
        };
        let calling = calling(Arc::clone(&tool), resumed);
        if was_running && tool.definition.execution.supports_resume != Some(true) {
            return Start::Over(Err(lost()));
        }
        match (status, &checkpoint.permission, &checkpoint.observable) {
            (InvocationStatus::PreHooksRunning, _, Some(observable)) => {
                Start::BeforeHooks(Observed { calling, observable: observable.clone() })
            }
            (_, Some(input), _) => {
                Start::BeforePermission(Hooked { calling, permission_input: input.clone() })
            }
            _ => {
                Start::Over(Err(Stop::never_started(Stage::Resolve, AbortReason::RuntimeShutdown)))
            }
        }
    }

    /// The tool of the call, if it exists and is unchanged.
    fn same_tool(&self, trail: &mut Trail) -> Result<Arc<Tool>, Stop> {
        let tool = match self.surface().resolve(&trail.planned.requested) {
            Resolution::Loaded(tool) => Some(tool),
            _ => self.ctx.find_tool(&trail.planned.requested),
        };
        trail.tool.clone_from(&tool);
        let inputs = &trail.inputs;
        let inputs = [Some(inputs.model.clone()), inputs.permission.clone(), inputs.call.clone()];
        for input in inputs.into_iter().flatten() {
            trail.hide_values_of(&input);
        }
        match tool {
            Some(tool) if trail.is_about(&tool) => Ok(tool),
            _ if trail.executed => Err(lost()),
            _ => Err(Stop::new(
                Stage::Resolve,
                TerminalStatus::Blocked,
                ErrorClass::PolicyBlocked,
                "the tool was removed or changed since the call was requested: call it again",
            )
            .coded(DEFINITION_CHANGED)),
        }
    }
}

/// The fact that the call was requested.
fn planned(entries: &[Arc<Entry>]) -> Option<&Planned> {
    entries.iter().find_map(|entry| match &entry.draft.fact {
        Fact::Planned(planned) => Some(&**planned),
        _ => None,
    })
}

/// The end of a call whose tool was running when the runtime went down.
fn lost() -> Stop {
    let abort =
        Abort { reason: AbortReason::RuntimeShutdown, outcome: AbortOutcome::Unacknowledged };
    let stop = Stop::new(
        Stage::Execute,
        TerminalStatus::Failed,
        ErrorClass::ExecutionFailed,
        "the runtime went down while the tool was running: it is unknown what the tool had done by then",
    );
    Stop { abort: Some(abort), ..stop.coded("interrupted_by_crash") }
}
