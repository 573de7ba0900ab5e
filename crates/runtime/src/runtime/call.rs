//! From a request to the pipeline: which call it is, whether it has run before, and who carries it on.

use std::sync::Arc;

use assent_ids::{BatchId, InvocationId};
use assent_journal::{Batch, Entry, Fact, JournalError, Planned};
use assent_protocol::{
    agent_tool::{SiblingFailurePolicy, ToolResult, ToolSchedulerPolicy},
    wire::Millis,
};
use tokio::runtime::Handle;
use tracing::Instrument as _;

use super::{
    Inner,
    active::{ActiveCallGuard, Entrance},
    dependencies,
};
use crate::{
    control::Control,
    pipeline::{self, IncomingCall, Start, Stop, Trail},
    request::{ModelInput, Request},
    scheduler::{Ended, Slot},
    surface::Surface,
};

/// How often a call is looked up again after its carrier gave it up.
const MAX_ROUNDS: usize = 8;

/// A call of a batch.
pub(super) struct BatchMember {
    pub(super) invocation: InvocationId,
    pub(super) membership: Membership,
    /// Calls outside of the batch that it depends on and that are not active.
    pub(super) others: Vec<InvocationId>,
    /// What a failed dependency does to it.
    pub(super) siblings: SiblingFailurePolicy,
    /// The same call, if it is active already.
    pub(super) entered: Result<ActiveCallGuard, Arc<Control>>,
}

/// The position of a call in its batch.
pub(super) struct Membership {
    pub(super) batch: BatchId,
    pub(super) position: u32,
    /// The policy of the batch, if it is not the runtime's.
    pub(super) scheduling: Option<Arc<ToolSchedulerPolicy>>,
}

/// A call that is about to enter the pipeline.
struct PendingCall {
    guard: ActiveCallGuard,
    planned: Arc<Planned>,
    input: ModelInput,
    surface: Arc<Surface>,
    slot: Arc<Slot>,
    /// Why it must not run.
    refusal: Option<Box<Stop>>,
}

impl Inner {
    /// Runs a call that belongs to no batch, or waits for it if it is active already.
    pub(super) async fn call(self: &Arc<Self>, request: Request) -> Arc<ToolResult> {
        let stated = request.invocation;
        let invocation = stated.unwrap_or_else(|| self.minter.mint());
        for _ in 0..MAX_ROUNDS {
            let control = Arc::new(Control::default());
            let (control, guard) = match self.active.enter(invocation, &control) {
                Ok(guard) => (control, Some(guard)),
                Err(running) => (running, None),
            };
            let _waiting = control.wait();
            match guard {
                // No other sender knows its id, so this caller carries it on.
                Some(guard) if stated.is_none() => {
                    return self.run_single(request, guard, control.clone()).await;
                }
                Some(guard) => self.spawn_single(request.clone(), guard, &control).await,
                None => {}
            }
            // Without a result the call was given up, and the journal knows how it ended.
            if let Some(result) = control.result().await {
                return result;
            }
        }
        self.unreadable(invocation)
    }

    /// Runs a call in a task of its own if there is a tokio runtime. A call whose sender chose its id
    /// continues as long as any sender waits for it.
    async fn spawn_single(
        self: &Arc<Self>,
        request: Request,
        guard: ActiveCallGuard,
        control: &Arc<Control>,
    ) {
        let (inner, shared) = (Arc::clone(self), Arc::clone(control));
        let run = async move { drop(inner.run_single(request, guard, shared).await) };
        match Handle::try_current() {
            Ok(tasks) => control.carried_by(tasks.spawn(run.in_current_span()).abort_handle()),
            Err(_) => run.await,
        }
    }

    async fn run_single(
        &self,
        request: Request,
        guard: ActiveCallGuard,
        control: Arc<Control>,
    ) -> Arc<ToolResult> {
        let invocation = guard.invocation();
        let siblings = self.batch_policy.siblings;
        let outside = self.outside_dependencies(&request.depends_on, |call| call == invocation);
        let slot = self.scheduler.single(Arc::clone(&control));
        let slot = slot.after(outside.running, siblings);
        match self.enter(guard, request.invocation.is_some(), &control).await {
            Entrance::New(guard, refusal) => {
                self.cancel_on_failed_dependency(&outside.others, siblings, &control).await;
                let pending = self.prepare(request, guard, None, slot);
                self.run(PendingCall { refusal, ..pending }).await
            }
            Entrance::Interrupted(guard) => {
                self.cancel_on_failed_dependency(&outside.others, siblings, &control).await;
                self.continued(guard, control, slot).await
            }
            Entrance::Ended(result, _) => result,
        }
    }

    /// Runs a call of a batch, or waits for it if it is active already.
    pub(super) async fn run_member(
        &self,
        member: BatchMember,
        request: Request,
        control: Arc<Control>,
        slot: Slot,
    ) -> Arc<ToolResult> {
        let BatchMember { invocation, membership, others, siblings, entered } = member;
        let stated = request.invocation.is_some();
        let entrance = match entered {
            Ok(guard) => self.enter(guard, stated, &control).await,
            Err(other) => self.await_other(&other, invocation, &slot).await,
        };
        match entrance {
            Entrance::New(guard, refusal) => {
                self.cancel_on_failed_dependency(&others, siblings, &control).await;
                let pending = self.prepare(request, guard, Some(membership), slot);
                self.run(PendingCall { refusal, ..pending }).await
            }
            Entrance::Interrupted(guard) => {
                self.cancel_on_failed_dependency(&others, siblings, &control).await;
                self.continued(guard, control, slot).await
            }
            Entrance::Ended(result, how) => {
                deliver_for(&slot, how).await;
                result
            }
        }
    }

    /// Waits for a call of a batch that another caller runs.
    async fn await_other(
        &self,
        other: &Control,
        invocation: InvocationId,
        slot: &Slot,
    ) -> Entrance {
        let _waiting = other.wait();
        let how = other.concluded().await;
        slot.ended(how);
        let result = other.result().await;
        Entrance::Ended(result.unwrap_or_else(|| self.unreadable(invocation)), how)
    }

    /// Determines whether the call is new. A sender that repeats an id gets the call that it sent before.
    async fn enter(&self, guard: ActiveCallGuard, stated: bool, control: &Control) -> Entrance {
        if !stated {
            return Entrance::New(guard, None);
        }
        let entries = match self.recorded(guard.invocation()).await {
            Ok(entries) => entries,
            // A call that may have run before must not run.
            Err(error) => {
                return Entrance::New(guard, Some(Box::new(Stop::unknown_whether_new(&error))));
            }
        };
        let result = entries.iter().find_map(|entry| match &entry.draft.fact {
            Fact::Resulted(result) => Some(Arc::clone(result)),
            _ => None,
        });
        match result {
            Some(result) => {
                let how = dependencies::recorded_end(&entries).unwrap_or(Ended::Refused);
                control.conclude(how);
                control.end(&result);
                drop(guard);
                Entrance::Ended(result, how)
            }
            None if entries.is_empty() => Entrance::New(guard, None),
            None => Entrance::Interrupted(guard),
        }
    }

    /// Reads the entries of a call. The end of a call that was given up is written without waiting, so it
    /// is waited for here.
    async fn recorded(&self, call: InvocationId) -> Result<Vec<Arc<Entry>>, JournalError> {
        if let Some(given_up) = self.active.unsettled() {
            self.ctx.journal.append(Batch::default()).await?;
            self.active.settle(given_up);
        }
        self.ctx.journal.of_call(call).await
    }

    fn prepare(
        &self,
        request: Request,
        guard: ActiveCallGuard,
        membership: Option<Membership>,
        slot: Slot,
    ) -> PendingCall {
        let surface = self.surface();
        guard.control().on_interrupt(self.interrupt_behavior(&slot));
        let (planned, input) = planned(request, &surface, membership);
        PendingCall { guard, planned, input, surface, slot: Arc::new(slot), refusal: None }
    }

    async fn run(&self, pending: PendingCall) -> Arc<ToolResult> {
        let PendingCall { guard, planned, input, surface, slot, refusal } = pending;
        // Moved here so that it is dropped after the trail, which records an abandoned call.
        let guard = guard;
        let mut trail = Trail::begin(&self.ctx, guard.invocation(), planned);
        let start = match refusal {
            Some(stop) => self.refused(*stop, &mut trail),
            None => Start::New(IncomingCall {
                requested: Arc::clone(&trail.planned.requested),
                input,
                surface,
                control: Arc::clone(guard.control()),
                slot: Arc::clone(&slot),
            }),
        };
        let result = pipeline::run(&self.ctx, &slot, start, &mut trail).await;
        guard.control().end(&result);
        drop(guard);
        result
    }

    /// The start of a call that must not run. Its tool is looked up because it says what is sensitive.
    fn refused(&self, stop: Stop, trail: &mut Trail) -> Start {
        trail.plan(self.ctx.find_tool(&trail.planned.requested).as_ref());
        Start::Over(Err(stop))
    }
}

/// What is recorded of a request, and the input for its tool.
fn planned(
    request: Request,
    surface: &Surface,
    membership: Option<Membership>,
) -> (Arc<Planned>, ModelInput) {
    let (batch, position, scheduling) = match membership {
        Some(Membership { batch, position, scheduling }) => (Some(batch), position, scheduling),
        None => (None, 0, None),
    };
    let planned = Planned {
        requested: request.tool,
        model_input: request.input.recorded().clone(),
        surface: surface.id(),
        actor: request.actor,
        session: request.session,
        native_call_id: request.native_call_id,
        mappings: request.mappings,
        batch,
        position,
        scheduling,
        depends_on: request.depends_on,
        retry_of: request.retry_of,
        trace: request.trace,
        timeout: request.timeout.map(Millis::from),
    };
    (Arc::new(planned), request.input)
}

/// Releases the slot of a call that another caller ran, with the end that it had.
pub(super) async fn deliver_for(slot: &Slot, how: Ended) {
    slot.ended(how);
    slot.my_turn_to_deliver().await;
    slot.delivered();
}
