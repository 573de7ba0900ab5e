//! One lifetime of a runtime: from its start to the end of the scenario or to a crash.

use std::{collections::BTreeSet, future::pending, num::NonZeroUsize, sync::Arc, time::Duration};

use assent_ids::InvocationId;
use assent_protocol::agent_tool::SurfaceScope;
use assent_runtime::{
    BatchResults, Block, CallResult, Hooks, Runtime, SchedulerPolicy, SurfaceContext,
};

use super::{
    RunError, catalog, clock::RehearsalClock, hook, person::PersonNow, plug::Plugged, world::World,
};
use crate::{Call, ClockKind, Deed, Mode, Scheduler};

/// A runtime that is about to start.
pub(super) struct Life {
    /// The time since the start of the rehearsal.
    before: Duration,
    is_first: bool,
}

/// How a lifetime ended.
pub(super) enum Outcome {
    /// The scenario is complete.
    Done,
    /// The process crashed.
    PlugPulled {
        /// The time since the start.
        at: Duration,
    },
}

impl Life {
    pub(super) fn first() -> Self {
        Self { before: Duration::ZERO, is_first: true }
    }

    pub(super) fn after(at: Duration) -> Self {
        Self { before: at, is_first: false }
    }

    /// Runs until the end or a crash. All state in memory is dropped with the async runtime.
    pub(super) fn live(&self, world: &World<'_>) -> Result<Outcome, RunError> {
        let is_virtual = world.scenario.clock == ClockKind::Virtual;
        let tasks = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(is_virtual)
            .build()
            .map_err(|error| RunError::Machine(error.to_string()))?;
        tasks.block_on(async {
            let clock = Arc::new(RehearsalClock::starting(self.before));
            let plug = Arc::new(Plugged::new(
                Arc::clone(&world.journal),
                Arc::clone(&world.batch_count),
                world.options.crash,
            ));
            let running = Running {
                world,
                runtime: runtime(world, &clock, &plug)?,
                policy: scheduler_policy(&world.scenario.scheduler)?,
                plug: Arc::clone(&plug),
                clock,
            };
            let outcome = running.run(self.is_first).await;
            plug.pull();
            world.happened().duration = running.clock.elapsed();
            outcome
        })
    }
}

struct Running<'w, 's> {
    world: &'w World<'s>,
    runtime: Runtime,
    policy: Arc<SchedulerPolicy>,
    plug: Arc<Plugged>,
    clock: Arc<RehearsalClock>,
}

impl Running<'_, '_> {
    async fn run(&self, is_first: bool) -> Result<Outcome, RunError> {
        self.search();
        if !is_first {
            let interrupted = self.runtime.resume().await?;
            if let Some(at) = self.follow(interrupted).await {
                return Ok(Outcome::PlugPulled { at });
            }
        }
        for batch in self.world.batches() {
            // After a crash, the sender repeats calls that the journal does not contain.
            let open = self.open(&batch);
            if open.is_empty() {
                continue;
            }
            let requests = open.iter().map(|call| self.world.request(call)).collect();
            let running = self
                .runtime
                .batch(requests, Some(Arc::clone(&self.policy)))
                .map_err(|error| RunError::Scheduler(error.to_string()))?;
            if let Some(at) = self.follow(running).await {
                return Ok(Outcome::PlugPulled { at });
            }
        }
        Ok(Outcome::Done)
    }

    /// The calls of a batch that have no result yet.
    fn open<'c>(&self, batch: &[&'c Call]) -> Vec<&'c Call> {
        let ended: BTreeSet<InvocationId> =
            self.world.happened().delivered.iter().map(|(invocation, _)| *invocation).collect();
        let is_open = |call: &&&Call| {
            self.world.invocation(&call.id).is_none_or(|invocation| !ended.contains(&invocation))
        };
        batch.iter().filter(is_open).copied().collect()
    }

    /// Runs the searches of the file; again after a crash, because loaded tools are lost.
    fn search(&self) {
        let is_new = !std::mem::replace(&mut self.world.happened().has_searched, true);
        for search in &self.world.scenario.searches {
            let limit = search.limit.map(|limit| limit.get() as usize);
            let result = self.runtime.search(&search.query, limit);
            if is_new {
                self.world.happened().searches.push(result);
            }
        }
    }

    /// Receives results as they are released and runs the actions. Returns the time of a crash.
    async fn follow(&self, mut batch: BatchResults) -> Option<Duration> {
        loop {
            tokio::select! {
                biased;
                () = self.plug.pulled() => return Some(self.clock.elapsed()),
                result = batch.next() => match result {
                    Some((invocation, result)) => self.delivered(invocation, result),
                    None => return None,
                },
                deed = self.next_deed() => {
                    self.world.happened().actions_done += 1;
                    if self.act(&deed) {
                        return Some(self.clock.elapsed());
                    }
                }
            }
        }
    }

    fn delivered(&self, invocation: InvocationId, result: CallResult) {
        let mut happened = self.world.happened();
        if happened.delivered.iter().all(|(known, _)| *known != invocation) {
            happened.delivered.push((invocation, result));
        }
    }

    /// Waits for the time of the next action.
    async fn next_deed(&self) -> Deed {
        let done = self.world.happened().actions_done;
        let mut actions: Vec<_> = self.world.scenario.actions.iter().collect();
        actions.sort_by_key(|action| action.at);
        let Some(action) = actions.get(done) else { return pending().await };
        let at = Duration::from_millis(action.at.0);
        tokio::time::sleep_until(self.clock.moment(at)).await;
        action.deed.clone()
    }

    /// Returns `true` if the action is a crash.
    fn act(&self, deed: &Deed) -> bool {
        let named = |call: &assent_ids::CallId| self.world.invocation(call);
        match deed {
            Deed::Cancel(Some(call)) => {
                named(call).map(|call| self.runtime.cancel(call));
            }
            Deed::Cancel(None) => {
                for invocation in self.world.invocations.values() {
                    self.runtime.cancel(*invocation);
                }
            }
            Deed::Interrupt(Some(call)) => {
                named(call).map(|call| self.runtime.interrupt_call(call));
            }
            Deed::Interrupt(None) => self.runtime.interrupt(),
            Deed::Restart => return true,
        }
        false
    }
}

fn runtime(
    world: &World<'_>,
    clock: &Arc<RehearsalClock>,
    plug: &Arc<Plugged>,
) -> Result<Runtime, RunError> {
    let scenario = world.scenario;
    let person =
        Arc::new(PersonNow { person: Arc::clone(&world.person), clock: Arc::clone(clock) });
    let mut hooks = Hooks::default();
    for hook in &scenario.hooks {
        let wrong = |error| RunError::Hook { hook: hook.id.to_string(), error };
        hooks.register(hook::registration(hook).map_err(wrong)?);
    }
    let mut builder = Runtime::builder()
        .clock(Arc::clone(clock) as _)
        .entropy(Arc::clone(&world.entropy))
        .journal(Arc::clone(plug) as _)
        .blobs(Arc::clone(&world.blobs) as _)
        .approver(Arc::clone(&person) as _)
        .inputs(person)
        .hooks(hooks)
        .policy(Arc::clone(&world.policy))
        .mode(mode(scenario.mode))
        .catalog(catalog::of(world)?)
        .surface(surface(world))
        .approval_timeout(Duration::from_millis(scenario.approval_timeout.0))
        .scheduler_policy(scheduler_policy(&world.scenario.scheduler)?);
    if world.options.reveal {
        builder = builder.reveal_sensitive_values();
    }
    builder.build().map_err(|error| RunError::Machine(error.to_string()))
}

fn mode(mode: Mode) -> assent_policy::Mode {
    match mode {
        Mode::Interactive => assent_policy::Mode::Interactive,
        Mode::Headless => assent_policy::Mode::Headless,
        Mode::ReadOnly => assent_policy::Mode::ReadOnly,
        Mode::Plan => assent_policy::Mode::Plan,
    }
}

/// All tools are available. The mode applies to calls and not to the offered tools, so that a rehearsal
/// shows why a call is refused.
fn surface(world: &World<'_>) -> SurfaceContext {
    let mut context = SurfaceContext::equipped(SurfaceScope::Session);
    context.producer = Some("assent-rehearsal".to_owned());
    let surface = &world.scenario.surface;
    context.budget = surface.budget.map(|budget| budget as usize);
    context.blocked = surface
        .blocked
        .iter()
        .map(|blocked| Block::new(blocked.tool.clone(), blocked.reason.clone()))
        .collect();
    context
}

pub(crate) fn scheduler_policy(written: &Scheduler) -> Result<Arc<SchedulerPolicy>, RunError> {
    let id = "rehearsal"
        .parse()
        .map_err(|error: assent_ids::ParseIdError| RunError::Scheduler(error.to_string()))?;
    let mut policy = SchedulerPolicy::standard(Arc::new(id));
    if let Some(parallel) = written.max_parallel.and_then(|most| NonZeroUsize::try_from(most).ok())
    {
        policy.max_parallel = parallel;
    }
    if let Some(ordering) = written.ordering_policy {
        policy.ordering = ordering;
        policy.yielding = SchedulerPolicy::yielding_of(ordering);
    }
    policy.yielding = written.yield_policy.unwrap_or(policy.yielding);
    policy.interrupt = written.interrupt_behavior.unwrap_or(policy.interrupt);
    policy.siblings = written.sibling_failure_policy.unwrap_or(policy.siblings);
    policy.context_modifiers = written.context_modifier_policy.unwrap_or(policy.context_modifiers);
    policy.check().map(Arc::new).map_err(|error| RunError::Scheduler(error.to_string()))
}
