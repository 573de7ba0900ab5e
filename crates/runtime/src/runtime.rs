//! The runtime: everything that a door needs to have tools called.

mod active;
mod batch;
mod builder;
mod dependencies;
mod groups;
mod resume;
mod rules;
mod tools;

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use assent_ids::{BatchId, InvocationId, Minter};
use assent_journal::{Fact, Journal, Noted, Planned};
use assent_protocol::agent_tool::{AbortReason, ToolResult};
use tokio::sync::mpsc;

use crate::{
    control::Control,
    pipeline::{self, Arrived, Context, Start, Stop, Trail},
    request::Request,
    scheduler::{BatchProblem, Ended, Member, Place, Scheduler, SchedulerPolicy},
    surface::{Surface, SurfaceContext},
};

pub use batch::{Batch, ContextChange};
pub use builder::{BuildError, RuntimeBuilder};

use active::{Active, Entrance};

/// Calls tools. Cheap to clone; all clones are the same runtime.
#[derive(Clone)]
pub struct Runtime {
    inner: Arc<Inner>,
}

/// A call that comes with a batch.
struct Joining {
    batch: BatchId,
    position: u32,
    /// Calls elsewhere that it depends on and that are not on their way.
    others: Vec<InvocationId>,
    policy: Arc<SchedulerPolicy>,
}

struct Inner {
    ctx: Arc<Context>,
    scheduler: Scheduler,
    batch_policy: Arc<SchedulerPolicy>,
    surface: RwLock<Arc<Surface>>,
    surface_context: RwLock<SurfaceContext>,
    /// Held by whoever replaces the surface.
    changing: Mutex<()>,
    active: Active,
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
    pub async fn call(&self, request: Request) -> Arc<ToolResult> {
        // A call takes several KiB on its way. They are asked for when it sets out: a thousand calls
        // that were not looked at yet need next to nothing, and one that ends at once leaves its room,
        // still warm, to the next.
        Box::pin(self.called(request)).await
    }

    async fn called(&self, request: Request) -> Arc<ToolResult> {
        let control = Arc::new(Control::default());
        let stated = request.invocation;
        let invocation = stated.unwrap_or_else(|| self.inner.minter.mint());
        let elsewhere = self.inner.elsewhere(&request.depends_on, |call| call == invocation);
        let siblings = self.inner.batch_policy.siblings;
        let place = self.inner.scheduler.single(Arc::clone(&control));
        let place = place.after(elsewhere.running, siblings);
        let arrival = self.inner.active.enter(invocation, &control);
        match self.inner.enter(arrival, invocation, stated.is_some(), &control).await {
            Entrance::New(refusal) => {
                self.inner.heed(&elsewhere.others, siblings, &control).await;
                self.inner.run(request, invocation, None, control, place, refusal).await
            }
            Entrance::Interrupted => {
                self.inner.heed(&elsewhere.others, siblings, &control).await;
                Box::pin(self.inner.continued(invocation, control, place)).await
            }
            Entrance::Running(other) => other.result().await,
            Entrance::Ended(result, _) => result,
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
        if *policy != *self.inner.batch_policy {
            self.inner.note(vec![Noted::SchedulerPolicy(policy.record())]);
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
            let member =
                Joining { batch, position, others: elsewhere.others, policy: Arc::clone(&policy) };
            // Now rather than in its task: whoever depends on it and is asked for next has to find it.
            let arrival = self.inner.active.enter(invocation, &control);
            let inner = Arc::clone(&self.inner);
            let released = released.clone();
            tokio::spawn(async move {
                let result = inner.join(member, arrival, request, invocation, control, place).await;
                // A batch that nobody reads from any more still runs to its end.
                drop(released.send((invocation, result)));
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

    /// Takes a call of a batch to its end.
    async fn join(
        &self,
        member: Joining,
        arrival: Result<(), Arc<Control>>,
        request: Request,
        invocation: InvocationId,
        control: Arc<Control>,
        place: Place,
    ) -> Arc<ToolResult> {
        let siblings = member.policy.siblings;
        let stated = request.invocation.is_some();
        let (result, how) = match self.enter(arrival, invocation, stated, &control).await {
            Entrance::New(refusal) => {
                let batch = Some((member.batch, member.position));
                self.heed(&member.others, siblings, &control).await;
                return self.run(request, invocation, batch, control, place, refusal).await;
            }
            Entrance::Interrupted => {
                self.heed(&member.others, siblings, &control).await;
                return Box::pin(self.continued(invocation, control, place)).await;
            }
            Entrance::Running(other) => {
                let how = other.concluded().await;
                place.ended(how);
                (other.result().await, how)
            }
            Entrance::Ended(result, how) => (result, how),
        };
        stand_in(&place, how).await;
        result
    }

    /// Whether this call is a new one. A sender who repeats itself gets the call that it sent before.
    async fn enter(
        &self,
        arrival: Result<(), Arc<Control>>,
        invocation: InvocationId,
        stated: bool,
        control: &Arc<Control>,
    ) -> Entrance {
        if let Err(running) = arrival {
            return Entrance::Running(running);
        }
        if !stated {
            return Entrance::New(None);
        }
        let entries = match self.ctx.journal.of_call(invocation).await {
            Ok(entries) => entries,
            // Who cannot tell whether the call has run before must not run it.
            Err(error) => return Entrance::New(Some(Stop::unknown_whether_new(&error))),
        };
        let result = entries.iter().find_map(|entry| match &entry.draft.fact {
            Fact::Resulted(result) => Some(Arc::clone(result)),
            _ => None,
        });
        match result {
            Some(result) => {
                let how = dependencies::recorded_end(&entries).unwrap_or(Ended::Refused);
                self.active.leave(invocation);
                control.conclude(how);
                control.end(&result);
                Entrance::Ended(result, how)
            }
            None if entries.is_empty() => Entrance::New(None),
            None => Entrance::Interrupted,
        }
    }

    async fn run(
        &self,
        request: Request,
        invocation: InvocationId,
        batch: Option<(BatchId, u32)>,
        control: Arc<Control>,
        place: Place,
        refusal: Option<Stop>,
    ) -> Arc<ToolResult> {
        let leaving = self.active.leaving(invocation);
        let place = Arc::new(place);
        let (mut trail, start) =
            self.set_out(request, invocation, batch, &control, &place, refusal);
        let result = pipeline::run(&self.ctx, &place, start, &mut trail).await;
        drop(leaving);
        control.end(&result);
        result
    }

    /// The trail of a new call, and where it begins.
    fn set_out(
        &self,
        request: Request,
        invocation: InvocationId,
        batch: Option<(BatchId, u32)>,
        control: &Arc<Control>,
        place: &Arc<Place>,
        refusal: Option<Stop>,
    ) -> (Trail, Start) {
        let surface = self.surface();
        control.on_interrupt(place.interrupt().unwrap_or(self.batch_policy.interrupt));
        let planned = Arc::new(Planned {
            requested: Arc::clone(&request.tool),
            model_input: request.input.recorded().clone(),
            surface: surface.id(),
            actor: request.actor,
            session: request.session,
            native_call_id: request.native_call_id,
            mappings: request.mappings,
            batch: batch.map(|(batch, _)| batch),
            position: batch.map_or(0, |(_, position)| position),
            depends_on: request.depends_on,
            retry_of: request.retry_of,
            trace: request.trace,
        });
        let mut trail = Trail::begin(&self.ctx, invocation, planned);
        let start = match refusal {
            Some(stop) => {
                // Its tool says what has to be hidden of it.
                trail.plan(self.ctx.find_tool(&request.tool).as_ref());
                Start::Over(Err(stop))
            }
            None => Start::New(Arrived {
                requested: request.tool,
                input: request.input,
                surface,
                control: Arc::clone(control),
                place: Arc::clone(place),
            }),
        };
        (trail, start)
    }
}

/// To the others of its batch, a call that was asked for before ends as it did then.
async fn stand_in(place: &Place, how: Ended) {
    place.ended(how);
    place.my_turn_to_deliver().await;
    place.delivered();
}
