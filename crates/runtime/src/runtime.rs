//! The runtime: everything that a door needs to have tools called.

mod active;
mod batch;
mod builder;
mod dependencies;
mod groups;
mod result;
mod resume;
mod rules;
mod tools;

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use assent_ids::{BatchId, InvocationId, Minter};
use assent_journal::{Batch as Facts, Entry, Fact, Journal, JournalError, Noted, Planned};
use assent_protocol::agent_tool::{
    AbortReason, InterruptBehavior, ToolResult, ToolSchedulerPolicy,
};
use tokio::{runtime::Handle, sync::mpsc};
use tracing::Instrument as _;

use crate::{
    control::Control,
    pipeline::{self, Arrived, Context, Start, Stop, Trail},
    request::{ModelInput, Request},
    scheduler::{BatchProblem, Ended, Member, Place, Scheduler, SchedulerPolicy},
    surface::{Surface, SurfaceContext},
};

pub use batch::{Batch, ContextChange};
pub use builder::{BuildError, RuntimeBuilder};
pub use result::CallResult;

use active::{Active, Entrance, Leaving};

/// So often a call is looked for anew that somebody else has given up just then.
const MAX_ROUNDS: usize = 8;

/// Calls tools. Cheap to clone; all clones are the same runtime.
#[derive(Clone)]
pub struct Runtime {
    inner: Arc<Inner>,
}

/// A call that comes with a batch.
struct Joining {
    invocation: InvocationId,
    membership: Membership,
    /// Calls elsewhere that it depends on and that are not on their way.
    others: Vec<InvocationId>,
    policy: Arc<SchedulerPolicy>,
}

/// Where a call stands among those that were asked for together with it.
struct Membership {
    batch: BatchId,
    position: u32,
    /// The policy of the batch, if it has one of its own.
    scheduling: Option<Arc<ToolSchedulerPolicy>>,
}

/// A call that is about to set out.
struct Departing {
    leaving: Leaving,
    planned: Arc<Planned>,
    input: ModelInput,
    surface: Arc<Surface>,
    place: Arc<Place>,
    /// Why it must not run.
    refusal: Option<Box<Stop>>,
}

struct Inner {
    ctx: Arc<Context>,
    scheduler: Scheduler,
    batch_policy: Arc<SchedulerPolicy>,
    surface: RwLock<Arc<Surface>>,
    surface_context: RwLock<SurfaceContext>,
    /// Held by whoever replaces the surface.
    changing: Mutex<()>,
    active: Arc<Active>,
    minter: Arc<Minter>,
}

impl Runtime {
    /// A runtime is put together with this.
    #[must_use]
    pub fn builder() -> RuntimeBuilder {
        RuntimeBuilder::default()
    }

    /// Calls a tool and waits for its result. There always is one.
    ///
    /// A caller that stops waiting cancels the call, unless another one waits for it as well.
    pub async fn call(&self, request: Request) -> CallResult {
        // Boxed, because the future of a call is several KiB large.
        Box::pin(self.called(request)).await.into()
    }

    async fn called(&self, request: Request) -> Arc<ToolResult> {
        let stated = request.invocation;
        let invocation = stated.unwrap_or_else(|| self.inner.minter.mint());
        for _ in 0..MAX_ROUNDS {
            let control = Arc::new(Control::default());
            let (call, leaving) = match self.inner.active.enter(invocation, &control) {
                Ok(leaving) => (control, Some(leaving)),
                Err(running) => (running, None),
            };
            let _waiting = call.wait();
            match leaving {
                // Nobody else can ask for it: its caller carries it on.
                Some(leaving) if stated.is_none() => {
                    return self.inner.take(request, leaving, Arc::clone(&call)).await;
                }
                Some(leaving) => self.set_off(request.clone(), leaving, &call).await,
                None => {}
            }
            // Without a result, whoever carried it on has gone: then the journal knows what came of it.
            if let Some(result) = call.result().await {
                return result;
            }
        }
        self.inner.unreadable(invocation)
    }

    /// A call that its sender has named goes on as long as anybody waits for it: whoever sends it again waits for the
    /// same one. So it has a task of its own, where there are tasks.
    async fn set_off(&self, request: Request, leaving: Leaving, call: &Arc<Control>) {
        let (inner, control) = (Arc::clone(&self.inner), Arc::clone(call));
        let taken = async move { drop(inner.take(request, leaving, control).await) };
        match Handle::try_current() {
            Ok(tasks) => call.carried_by(tasks.spawn(taken.in_current_span()).abort_handle()),
            Err(_) => taken.await,
        }
    }

    /// Calls tools that a model asked for together. Results come out as the policy says.
    ///
    /// # Errors
    /// If there are too many calls, or they depend on each other in a circle.
    pub fn batch(
        &self,
        requests: Vec<Request>,
        policy: Option<Arc<SchedulerPolicy>>,
    ) -> Result<Batch, BatchProblem> {
        let policy = policy.unwrap_or_else(|| Arc::clone(&self.inner.batch_policy));
        let calls: Vec<(Request, InvocationId, Arc<Control>)> = requests
            .into_iter()
            .map(|request| {
                let invocation = request.invocation.unwrap_or_else(|| self.inner.minter.mint());
                (request, invocation, Arc::new(Control::default()))
            })
            .collect();
        let members = calls.iter().map(|(request, invocation, control)| Member {
            invocation: *invocation,
            control: Arc::clone(control),
            depends_on: request.depends_on.clone(),
        });
        let places = self.inner.scheduler.batch(Arc::clone(&policy), members.collect())?;
        let is_own = *policy != *self.inner.batch_policy;
        let scheduling = is_own.then(|| Arc::new(policy.record()));
        if let Some(record) = &scheduling {
            self.inner.note(vec![Noted::SchedulerPolicy((**record).clone())]);
        }
        let batch: BatchId = self.inner.minter.mint();
        let (released, results) = mpsc::unbounded_channel();
        let invocations: Vec<_> = calls.iter().map(|(_, invocation, _)| *invocation).collect();
        // Looked at before any of them enters: whatever is on its way then belongs to earlier batches, so
        // that batches never wait for each other in a circle.
        let elsewhere = self.inner.elsewhere_of(&calls);
        for (position, (((request, invocation, control), place), elsewhere)) in
            calls.into_iter().zip(places).zip(elsewhere).enumerate()
        {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            let place = place.after(elsewhere.running, policy.siblings);
            let (others, policy) = (elsewhere.others, Arc::clone(&policy));
            let membership = Membership { batch, position, scheduling: scheduling.clone() };
            let member = Joining { invocation, membership, others, policy };
            // Now rather than in its task: whoever depends on it and is asked for next has to find it.
            let arrival = self.inner.active.enter(invocation, &control);
            let inner = Arc::clone(&self.inner);
            let released = released.clone();
            tokio::spawn(async move {
                let result = inner.join(member, arrival, request, control, place).await;
                // A batch that nobody reads from any more still runs to its end.
                drop(released.send((invocation, result.into())));
            });
        }
        Ok(Batch::new(invocations, results))
    }

    /// Asks for a call to be stopped. False if it is not running.
    pub fn cancel(&self, invocation: InvocationId) -> bool {
        self.abort(invocation, AbortReason::UserInterruption)
    }

    /// Throws calls away whose request the model has taken back.
    pub fn discard(&self, invocation: InvocationId) -> bool {
        self.abort(invocation, AbortReason::Fallback)
    }

    fn abort(&self, invocation: InvocationId, reason: AbortReason) -> bool {
        let control = self.inner.active.get(invocation);
        if let Some(control) = &control {
            control.abort(reason);
        }
        control.is_some()
    }

    /// The person interrupts. Calls that may be stopped are; the others end by themselves.
    pub fn interrupt(&self) {
        for control in self.inner.active.all() {
            control.interrupt();
        }
    }

    /// The person interrupts one call. False if it is not running.
    pub fn interrupt_call(&self, invocation: InvocationId) -> bool {
        let control = self.inner.active.get(invocation);
        if let Some(control) = &control {
            control.interrupt();
        }
        control.is_some()
    }

    /// Where everything is recorded.
    #[must_use]
    pub fn journal(&self) -> &Arc<dyn Journal> {
        &self.inner.ctx.journal
    }

    /// The tools on offer now.
    #[must_use]
    pub fn surface(&self) -> Arc<Surface> {
        self.inner.surface()
    }
}

impl Inner {
    fn surface(&self) -> Arc<Surface> {
        Arc::clone(&self.surface.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes a call that belongs to no batch to its end.
    async fn take(
        &self,
        request: Request,
        leaving: Leaving,
        control: Arc<Control>,
    ) -> Arc<ToolResult> {
        let invocation = leaving.invocation();
        let siblings = self.batch_policy.siblings;
        let elsewhere = self.elsewhere(&request.depends_on, |call| call == invocation);
        let place = self.scheduler.single(Arc::clone(&control));
        let place = place.after(elsewhere.running, siblings);
        match self.enter(leaving, request.invocation.is_some(), &control).await {
            Entrance::New(leaving, refusal) => {
                self.heed(&elsewhere.others, siblings, &control).await;
                let departing = self.ready(request, leaving, None, place);
                self.run(Departing { refusal, ..departing }).await
            }
            Entrance::Interrupted(leaving) => {
                self.heed(&elsewhere.others, siblings, &control).await;
                Box::pin(self.continued(leaving, control, place)).await
            }
            Entrance::Ended(result, _) => result,
        }
    }

    /// Takes a call of a batch to its end.
    async fn join(
        &self,
        member: Joining,
        arrival: Result<Leaving, Arc<Control>>,
        request: Request,
        control: Arc<Control>,
        place: Place,
    ) -> Arc<ToolResult> {
        let siblings = member.policy.siblings;
        let stated = request.invocation.is_some();
        let entrance = match arrival {
            Ok(leaving) => self.enter(leaving, stated, &control).await,
            Err(other) => self.await_other(&other, member.invocation, &place).await,
        };
        match entrance {
            Entrance::New(leaving, refusal) => {
                self.heed(&member.others, siblings, &control).await;
                let departing = self.ready(request, leaving, Some(member.membership), place);
                self.run(Departing { refusal, ..departing }).await
            }
            Entrance::Interrupted(leaving) => {
                self.heed(&member.others, siblings, &control).await;
                Box::pin(self.continued(leaving, control, place)).await
            }
            Entrance::Ended(result, how) => {
                stand_in(&place, how).await;
                result
            }
        }
    }

    /// Waits for a call of a batch that is on its way elsewhere.
    async fn await_other(
        &self,
        other: &Control,
        invocation: InvocationId,
        place: &Place,
    ) -> Entrance {
        let _waiting = other.wait();
        let how = other.concluded().await;
        place.ended(how);
        let result = other.result().await;
        Entrance::Ended(result.unwrap_or_else(|| self.unreadable(invocation)), how)
    }

    /// Whether this call is a new one. A sender who repeats itself gets the call that it sent before.
    async fn enter(&self, leaving: Leaving, stated: bool, control: &Control) -> Entrance {
        if !stated {
            return Entrance::New(leaving, None);
        }
        let entries = match self.recorded(leaving.invocation()).await {
            Ok(entries) => entries,
            // Who cannot tell whether the call has run before must not run it.
            Err(error) => {
                return Entrance::New(leaving, Some(Box::new(Stop::unknown_whether_new(&error))));
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
                drop(leaving);
                Entrance::Ended(result, how)
            }
            None if entries.is_empty() => Entrance::New(leaving, None),
            None => Entrance::Interrupted(leaving),
        }
    }

    /// What the journal knows of a call. Nobody waits until the end of a call is durable that was given up: whoever
    /// asks for it again does.
    async fn recorded(&self, call: InvocationId) -> Result<Vec<Arc<Entry>>, JournalError> {
        if let Some(given_up) = self.active.unsettled() {
            self.ctx.journal.append(Facts::default()).await?;
            self.active.settle(given_up);
        }
        self.ctx.journal.of_call(call).await
    }

    /// Makes a call ready to set out.
    fn ready(
        &self,
        request: Request,
        leaving: Leaving,
        membership: Option<Membership>,
        place: Place,
    ) -> Departing {
        let surface = self.surface();
        leaving.control().on_interrupt(self.interrupt(&place));
        let (planned, input) = planned(request, &surface, membership);
        Departing { leaving, planned, input, surface, place: Arc::new(place), refusal: None }
    }

    /// What an interruption does to a call whose tool does not say it.
    fn interrupt(&self, place: &Place) -> InterruptBehavior {
        place.interrupt().unwrap_or(self.batch_policy.interrupt)
    }

    async fn run(&self, departing: Departing) -> Arc<ToolResult> {
        let Departing { leaving, planned, input, surface, place, refusal } = departing;
        // Dropped after the trail, which says how the call ended if it is given up.
        let leaving = leaving;
        let mut trail = Trail::begin(&self.ctx, leaving.invocation(), planned);
        let start = match refusal {
            Some(stop) => self.refused(*stop, &mut trail),
            None => Start::New(Arrived {
                requested: Arc::clone(&trail.planned.requested),
                input,
                surface,
                control: Arc::clone(leaving.control()),
                place: Arc::clone(&place),
            }),
        };
        let result = pipeline::run(&self.ctx, &place, start, &mut trail).await;
        leaving.control().end(&result);
        drop(leaving);
        result
    }

    /// A call that must not run. Its tool says what has to be hidden of it.
    fn refused(&self, stop: Stop, trail: &mut Trail) -> Start {
        trail.plan(self.ctx.find_tool(&trail.planned.requested).as_ref());
        Start::Over(Err(stop))
    }
}

/// What is recorded of a request, and what its tool is to be called with.
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
    };
    (Arc::new(planned), request.input)
}

/// To the others of its batch, a call that was asked for before ends as it did then.
async fn stand_in(place: &Place, how: Ended) {
    place.ended(how);
    place.my_turn_to_deliver().await;
    place.delivered();
}
