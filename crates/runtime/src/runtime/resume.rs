//! Going on after a crash.
//!
//! | the journal says          | what happens                                                        |
//! |---------------------------|---------------------------------------------------------------------|
//! | hooks were running        | they run again, on the input that they were to look at               |
//! | somebody was asked        | the same question is put again, for the time that is left            |
//! | somebody had agreed       | the call goes on to its turn                                         |
//! | the tool was running      | it goes on if the tool says that it can; else the call ends as failed, and the result says that nobody knows what the tool had done by then |
//! | the tool had finished     | what came of it goes on its way, whatever has become of the tool     |
//! | the outcome was known     | it is handed over                                                    |
//!
//! What cannot go on, because its tool is gone or has become another one, ends.

use std::{collections::BTreeSet, sync::Arc};

use assent_ids::{BatchId, InvocationId};
use assent_journal::{Completed, Entry, Fact, JournalError, Planned, SavedState};
use assent_protocol::agent_tool::{
    Abort, AbortOutcome, AbortReason, ErrorClass, InvocationStatus, SiblingFailurePolicy,
    TerminalStatus, ToolResult,
};
use tokio::sync::mpsc;

use super::{Batch, Inner, Runtime, active::Leaving, groups::groups, stand_in};
use crate::{
    catalog::Tool,
    control::Control,
    pipeline::{
        self, Calling, Resumed, Stage, Start, Stop, Trail, checkpoint::Checkpoint,
        observe::Observed, persist::Persisted, pre_hooks::Hooked,
    },
    results::{DEFINITION_CHANGED, ErrorDraft, ResultDraft},
    scheduler::{Member, Place, SchedulerPolicy},
    surface::Resolution,
};

/// A call that a crash interrupted.
pub(super) struct Interrupted {
    pub(super) invocation: InvocationId,
    entries: Vec<Arc<Entry>>,
    checkpoint: Option<Checkpoint>,
    pub(super) batch: Option<(BatchId, u32)>,
}

/// A call that is about to be taken up.
struct Placed {
    call: Interrupted,
    control: Arc<Control>,
    place: Place,
    /// Calls of other batches that it depends on and that are not on their way.
    others: Vec<InvocationId>,
    /// What becomes of it if one of them did not succeed.
    siblings: SiblingFailurePolicy,
    /// The same call, if somebody has taken it up already.
    arrival: Result<Leaving, Arc<Control>>,
}

impl Runtime {
    /// Takes up every call that the journal knows and that has not ended. The results come out as they
    /// are released; whoever asked for a call can also ask for it again under the same id.
    ///
    /// # Errors
    /// If the journal cannot be read. Nothing was taken up then.
    pub async fn resume(&self) -> Result<Batch, JournalError> {
        let mut calls = Vec::new();
        for held in self.inner.ctx.journal.saved_states().await? {
            let entries = self.inner.ctx.journal.of_call(held.invocation).await?;
            calls.push(Interrupted::new(&held, entries));
        }
        let (released, results) = mpsc::unbounded_channel();
        let invocations = calls.iter().map(|call| call.invocation).collect();
        // One after the other: what a batch depends on is on its way when the batch is looked at.
        for placed in groups(calls).into_iter().flat_map(|group| self.group(group)) {
            let inner = Arc::clone(&self.inner);
            let released = released.clone();
            let invocation = placed.call.invocation;
            tokio::spawn(async move {
                let Placed { call, control, place, others, siblings, arrival } = placed;
                let leaving = match arrival {
                    Ok(leaving) => leaving,
                    Err(other) => return stand_in(&place, other.concluded().await).await,
                };
                inner.heed(&others, siblings, &control).await;
                if let Some(result) = inner.take_up(call, leaving, control, place).await {
                    // Nobody has to listen: the result is in the journal.
                    drop(released.send((invocation, result.into())));
                }
            });
        }
        Ok(Batch::new(invocations, results))
    }

    /// Calls of one batch find their places beside each other again, and are on their way from now on.
    fn group(&self, calls: Vec<Interrupted>) -> Vec<Placed> {
        let controls: Vec<_> = calls.iter().map(|_| Arc::new(Control::default())).collect();
        let members = calls.iter().zip(&controls).map(|(call, control)| Member {
            invocation: call.invocation,
            control: Arc::clone(control),
            depends_on: call.depends_on().collect(),
        });
        let policy = self.policy_of(&calls);
        let siblings = policy.siblings;
        let places = match self.inner.scheduler.batch(policy, members.collect()) {
            Ok(places) if calls.first().is_some_and(|call| call.batch.is_some()) => places,
            _ => controls
                .iter()
                .map(|control| self.inner.scheduler.single(Arc::clone(control)))
                .collect(),
        };
        let own: BTreeSet<_> = calls.iter().map(|call| call.invocation).collect();
        calls
            .into_iter()
            .zip(controls)
            .zip(places)
            .map(|((call, control), place)| {
                let depends_on: Vec<_> = call.depends_on().collect();
                let elsewhere = self.inner.elsewhere(&depends_on, |call| own.contains(&call));
                let place = place.after(elsewhere.running, siblings);
                let arrival = self.inner.active.enter(call.invocation, &control);
                Placed { call, control, place, others: elsewhere.others, siblings, arrival }
            })
            .collect()
    }

    /// How the calls of a batch were to be scheduled.
    fn policy_of(&self, calls: &[Interrupted]) -> Arc<SchedulerPolicy> {
        let planned = calls.iter().find_map(Interrupted::planned);
        let own = planned.and_then(|planned| planned.scheduling.as_deref());
        let own = own.and_then(SchedulerPolicy::recorded);
        own.map_or_else(|| Arc::clone(&self.inner.batch_policy), Arc::new)
    }
}

impl Interrupted {
    fn new(held: &SavedState, entries: Vec<Arc<Entry>>) -> Self {
        let planned = planned(&entries);
        let batch = planned.and_then(|planned| Some((planned.batch?, planned.position)));
        Self { invocation: held.invocation, entries, checkpoint: Checkpoint::of(held), batch }
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
    /// Takes up one call that a crash interrupted, because its sender asks for it again.
    pub(super) async fn continued(
        &self,
        leaving: Leaving,
        control: Arc<Control>,
        place: Place,
    ) -> Arc<ToolResult> {
        let invocation = leaving.invocation();
        let held = self.ctx.journal.saved_states().await.unwrap_or_default();
        let held = held.into_iter().find(|held| held.invocation == invocation);
        // A call that is known and not held is one whose tool was running, or whose end was being
        // written: taken up without its state, it ends.
        let held = held.unwrap_or_else(|| SavedState { invocation, bytes: Arc::default() });
        let entries = self.ctx.journal.of_call(invocation).await.unwrap_or_default();
        let call = Interrupted::new(&held, entries);
        match self.take_up(call, leaving, control, place).await {
            Some(result) => result,
            None => self.unreadable(invocation),
        }
    }

    /// The journal knew the call a moment ago and cannot be read now.
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

    /// None if the journal knows nothing of the call: then nothing of it has happened.
    async fn take_up(
        &self,
        call: Interrupted,
        leaving: Leaving,
        control: Arc<Control>,
        place: Place,
    ) -> Option<Arc<ToolResult>> {
        // Dropped after the trail, which says how the call ended if it is given up.
        let leaving = leaving;
        let place = Arc::new(place);
        let mut trail =
            Trail::restore(&self.ctx, call.invocation, &call.entries, call.checkpoint.clone())?;
        control.on_interrupt(self.interrupt(&place));
        let start = self.start(&call, &mut trail, &control, &place);
        let result = pipeline::run(&self.ctx, &place, start, &mut trail).await;
        control.end(&result);
        drop(leaving);
        Some(result)
    }

    fn start(
        &self,
        call: &Interrupted,
        trail: &mut Trail,
        control: &Arc<Control>,
        place: &Arc<Place>,
    ) -> Start {
        if let Some(completed) = call.completed() {
            return Start::Over(Ok(Persisted::known(completed, trail)));
        }
        let same_tool = self.same_tool(trail);
        if let Some(behavior) = trail.tool.as_ref().and_then(|tool| tool.interrupt) {
            control.on_interrupt(behavior);
        }
        let calling = |tool: Arc<Tool>, resumed: Resumed| Calling {
            tool,
            control: Arc::clone(control),
            place: Arc::clone(place),
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

    /// The tool of the call, if it is on offer and still what it was.
    fn same_tool(&self, trail: &mut Trail) -> Result<Arc<Tool>, Stop> {
        let tool = match self.surface().resolve(&trail.planned.requested) {
            Resolution::Loaded(tool) => Some(tool),
            _ => self.ctx.find_tool(&trail.planned.requested),
        };
        trail.tool.clone_from(&tool);
        let inputs = trail.inputs.clone();
        for input in [Some(inputs.model), inputs.permission, inputs.call].into_iter().flatten() {
            trail.hide_values_of(&input);
        }
        match tool {
            Some(tool) if trail.is_about(&tool) => Ok(tool),
            _ if trail.executed => Err(lost()),
            _ => Err(Stop::new(
                Stage::Resolve,
                TerminalStatus::Blocked,
                ErrorClass::PolicyBlocked,
                "the tool is gone or has changed since the call was asked for: call it again",
            )
            .coded(DEFINITION_CHANGED)),
        }
    }
}

/// What was asked for.
fn planned(entries: &[Arc<Entry>]) -> Option<&Planned> {
    entries.iter().find_map(|entry| match &entry.draft.fact {
        Fact::Planned(planned) => Some(&**planned),
        _ => None,
    })
}

/// The runtime went down while the tool was running.
fn lost() -> Stop {
    let abort =
        Abort { reason: AbortReason::RuntimeShutdown, outcome: AbortOutcome::Unacknowledged };
    let stop = Stop::new(
        Stage::Execute,
        TerminalStatus::Failed,
        ErrorClass::ExecutionFailed,
        "the runtime went down while the tool was running: nobody knows what it had done by then",
    );
    Stop { abort: Some(abort), ..stop.coded("interrupted_by_crash") }
}
