//! The runtime: everything that a host needs to call tools.

mod active;
mod batch;
mod builder;
mod call;
mod dependencies;
mod groups;
mod result;
mod resume;
mod rules;
mod tools;

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use assent_ids::{BatchId, InvocationId, Minter};
use assent_journal::{Explanation, Journal, JournalError, Noted, explain};
use assent_protocol::agent_tool::{AbortReason, InterruptBehavior};
use tokio::sync::mpsc;

use crate::{
    control::Control,
    pipeline::Context,
    request::Request,
    scheduler::{BatchProblem, Member, Scheduler, SchedulerPolicy, Slot},
    surface::{Surface, SurfaceContext},
};

pub use batch::{BatchResults, ContextChange};
pub use builder::{BuildError, RuntimeBuilder};
pub use result::CallResult;

use active::ActiveCalls;
use call::{BatchMember, Membership};

/// Calls tools. Cheap to clone; all clones are the same runtime.
#[derive(Clone)]
pub struct Runtime {
    inner: Arc<Inner>,
}

struct Inner {
    ctx: Arc<Context>,
    scheduler: Scheduler,
    batch_policy: Arc<SchedulerPolicy>,
    surface: RwLock<Arc<Surface>>,
    surface_context: RwLock<SurfaceContext>,
    /// Locked while the surface is being replaced.
    changing: Mutex<()>,
    active: Arc<ActiveCalls>,
    minter: Arc<Minter>,
}

impl Runtime {
    /// Returns a builder, with which a runtime is put together.
    #[must_use]
    pub fn builder() -> RuntimeBuilder {
        RuntimeBuilder::default()
    }

    /// Calls a tool and waits for its result. There is always exactly one.
    ///
    /// Dropping the future cancels the call, unless another caller waits for the same call.
    pub async fn call(&self, request: Request) -> CallResult {
        // Boxed, because the future of a call is several KiB large.
        Box::pin(self.inner.call(request)).await.into()
    }

    /// Calls tools that a model asked for together. The policy determines the order of the results; by
    /// default it is the one that the runtime was built with.
    ///
    /// # Errors
    /// If there are too many calls, or they depend on each other in a circle.
    pub fn batch(
        &self,
        requests: Vec<Request>,
        policy: Option<Arc<SchedulerPolicy>>,
    ) -> Result<BatchResults, BatchProblem> {
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
        let slots = self.inner.scheduler.batch(Arc::clone(&policy), members.collect())?;
        let is_own = *policy != *self.inner.batch_policy;
        let scheduling = is_own.then(|| Arc::new(policy.record()));
        if let Some(record) = &scheduling {
            self.inner.note(vec![Noted::SchedulerPolicy((**record).clone())]);
        }
        let batch: BatchId = self.inner.minter.mint();
        let (sender, results) = mpsc::unbounded_channel();
        let invocations: Vec<_> = calls.iter().map(|(_, invocation, _)| *invocation).collect();
        // Determined before any call of this batch becomes active: every active call then belongs to an
        // earlier batch, so batches never wait for each other in a circle.
        let outside = self.inner.outside_dependencies_of(&calls);
        for (position, (((request, invocation, control), slot), outside)) in
            calls.into_iter().zip(slots).zip(outside).enumerate()
        {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            let slot = slot.after(outside.running, policy.siblings);
            let membership = Membership { batch, position, scheduling: scheduling.clone() };
            let (others, siblings) = (outside.others, policy.siblings);
            // Now rather than in its task, so that a later call that depends on this one finds it.
            let entered = self.inner.active.enter(invocation, &control);
            let member = BatchMember { invocation, membership, others, siblings, entered };
            let (inner, sender) = (Arc::clone(&self.inner), sender.clone());
            tokio::spawn(async move {
                let result = inner.run_member(member, request, control, slot).await;
                // A batch whose results are not read still runs to its end.
                drop(sender.send((invocation, result.into())));
            });
        }
        Ok(BatchResults::new(invocations, results))
    }

    /// Requests that a call stops. Returns `false` if it is not running.
    pub fn cancel(&self, invocation: InvocationId) -> bool {
        self.abort(invocation, AbortReason::UserInterruption)
    }

    /// Discards a call whose request the model has replaced. Returns `false` if it is not running.
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

    /// Handles an interruption by a person: calls that may be interrupted stop, the others continue.
    pub fn interrupt(&self) {
        for control in self.inner.active.all() {
            control.interrupt();
        }
    }

    /// Handles an interruption of one call. Returns `false` if it is not running.
    pub fn interrupt_call(&self, invocation: InvocationId) -> bool {
        let control = self.inner.active.get(invocation);
        if let Some(control) = &control {
            control.interrupt();
        }
        control.is_some()
    }

    /// The journal that records every call.
    #[must_use]
    pub fn journal(&self) -> &Arc<dyn Journal> {
        &self.inner.ctx.journal
    }

    /// Explains from the journal why a call was allowed or refused and how it ended. Returns `None` if the journal
    /// has no such call.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn explain(&self, call: InvocationId) -> Result<Option<Explanation>, JournalError> {
        let entries = self.inner.ctx.journal.of_call(call).await?;
        Ok(explain(entries.iter().map(|entry| &**entry)))
    }

    /// The tools that are offered now.
    #[must_use]
    pub fn surface(&self) -> Arc<Surface> {
        self.inner.surface()
    }
}

impl Inner {
    fn surface(&self) -> Arc<Surface> {
        Arc::clone(&self.surface.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// What an interruption does to a call whose tool does not say.
    fn interrupt_behavior(&self, slot: &Slot) -> InterruptBehavior {
        slot.interrupt().unwrap_or(self.batch_policy.interrupt)
    }
}
