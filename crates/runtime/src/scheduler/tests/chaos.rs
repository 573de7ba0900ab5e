//! Anything may happen to any call at any time: the guarantees hold, and every call ends.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use assent_protocol::agent_tool::{AbortReason, ResourceLock, SiblingFailurePolicy};
use proptest::prelude::*;
use tokio::time::{sleep, timeout};

use super::support::{conflict, id, now, scheduler, some_locks};
use crate::{
    control::Control,
    scheduler::{Ended, Member, Needs, Scheduler, SchedulerPolicy, Slot},
};

#[derive(Clone, Debug)]
struct Plan {
    safe: bool,
    locks: Vec<ResourceLock>,
    depends_on: Option<prop::sample::Index>,
    deciding: u64,
    running: u64,
    after: u64,
    how: Ended,
    /// When it is asked to stop.
    abort_at: Option<u64>,
    /// When its future is dropped, with everything in it.
    drop_at: Option<u64>,
    /// Whether the work goes on, with the turn, when its future was dropped or asked to stop.
    stubborn: bool,
}

#[derive(Clone, Debug)]
struct BatchPlan {
    max_parallel: usize,
    siblings: SiblingFailurePolicy,
    calls: Vec<Plan>,
}

/// Everything that runs now, and what has come out.
#[derive(Default)]
struct World {
    running: Vec<Runs>,
    /// Batch and position of unsafe calls, as they started.
    exclusive_starts: Vec<(usize, usize)>,
    delivered: Vec<(usize, usize)>,
}

#[derive(Clone, PartialEq)]
struct Runs {
    batch: usize,
    position: usize,
    safe: bool,
    locks: Vec<ResourceLock>,
}

struct Rules {
    limit: usize,
    max_parallel: Vec<usize>,
}

impl World {
    fn start(&mut self, call: &Runs, rules: &Rules) {
        let beside: Vec<_> =
            self.running.iter().filter(|other| other.batch == call.batch).collect();
        assert!(self.running.len() < rules.limit);
        assert!(beside.len() < rules.max_parallel[call.batch]);
        assert!(call.safe || beside.is_empty(), "an unsafe call runs beside others");
        assert!(beside.iter().all(|other| other.safe), "a call runs beside an unsafe one");
        assert!(self.running.iter().all(|other| !conflict(&other.locks, &call.locks)));
        if !call.safe {
            self.exclusive_starts.push((call.batch, call.position));
        }
        self.running.push(call.clone());
    }

    fn stop(&mut self, call: &Runs) {
        let at = self.running.iter().position(|other| other == call).unwrap();
        self.running.swap_remove(at);
    }
}

/// Says that a call stops, however it stops. Dropped before the turn is.
struct Stops {
    world: Arc<Mutex<World>>,
    call: Runs,
}

impl Drop for Stops {
    fn drop(&mut self) {
        self.world.lock().unwrap().stop(&self.call);
    }
}

async fn live(
    slot: &Slot,
    plan: &Plan,
    call: Runs,
    control: &Control,
    world: &Arc<Mutex<World>>,
    rules: &Rules,
) {
    let milliseconds = |time| sleep(Duration::from_millis(time));
    milliseconds(plan.deciding).await;
    let needs = Needs { concurrency_safe: plan.safe, locks: plan.locks.clone() };
    let how = match slot.enter(needs).await {
        Err(_) => Ended::Canceled,
        Ok(turn) => {
            world.lock().unwrap().start(&call, rules);
            let stops = Stops { world: Arc::clone(world), call: call.clone() };
            // Locals are dropped from the last to the first: it stops, then it gives its turn back.
            let held = (stops, turn);
            if plan.stubborn {
                let rest = plan.running;
                tokio::spawn(async move {
                    let (_turn, _stops) = (held.1, held.0);
                    sleep(Duration::from_millis(rest)).await;
                });
                plan.how
            } else {
                let (_turn, _stops) = (held.1, held.0);
                tokio::select! {
                    biased;
                    _ = control.aborting() => Ended::Canceled,
                    () = milliseconds(plan.running) => plan.how,
                }
            }
        }
    };
    milliseconds(plan.after).await;
    slot.ended(how);
    slot.my_turn_to_deliver().await;
    world.lock().unwrap().delivered.push((call.batch, call.position));
    slot.delivered();
}

fn open(scheduler: &Scheduler, number: usize, plan: &BatchPlan) -> (Vec<Slot>, Vec<Arc<Control>>) {
    let name = |position: usize| id(number * 1_000 + position);
    let member = |(position, call): (usize, &Plan)| Member {
        invocation: name(position),
        control: Arc::default(),
        depends_on: call
            .depends_on
            .filter(|_| position > 0)
            .map(|index| name(index.index(position)))
            .into_iter()
            .collect(),
    };
    let members: Vec<_> = plan.calls.iter().enumerate().map(member).collect();
    let controls = members.iter().map(|member| Arc::clone(&member.control)).collect();
    let policy = SchedulerPolicy {
        max_parallel: plan.max_parallel.try_into().unwrap(),
        siblings: plan.siblings,
        ..SchedulerPolicy::default()
    };
    (scheduler.batch(Arc::new(policy), members).unwrap(), controls)
}

async fn run(limit: usize, batches: Vec<BatchPlan>) {
    let scheduler = scheduler(limit);
    let world = Arc::new(Mutex::new(World::default()));
    let max_parallel = batches.iter().map(|batch| batch.max_parallel).collect();
    let rules = Arc::new(Rules { limit, max_parallel });
    let mut calls = Vec::new();
    for (number, batch) in batches.into_iter().enumerate() {
        let (slots, controls) = open(&scheduler, number, &batch);
        for (position, ((slot, control), plan)) in
            slots.into_iter().zip(controls).zip(batch.calls).enumerate()
        {
            let (world, rules) = (Arc::clone(&world), Arc::clone(&rules));
            let call = Runs { batch: number, position, safe: plan.safe, locks: plan.locks.clone() };
            if let Some(time) = plan.abort_at {
                let control = Arc::clone(&control);
                tokio::spawn(async move {
                    sleep(Duration::from_millis(time)).await;
                    control.abort(AbortReason::UserInterruption);
                });
            }
            calls.push(tokio::spawn(async move {
                let until = Duration::from_millis(plan.drop_at.unwrap_or(u64::from(u32::MAX)));
                let life = live(&slot, &plan, call, &control, &world, &rules);
                let ended = timeout(until, life).await;
                assert!(ended.is_ok() || plan.drop_at.is_some(), "a call waits forever");
            }));
        }
    }
    for call in calls {
        call.await.unwrap();
    }
    // Detached work ends.
    sleep(Duration::from_secs(60)).await;
    let world = world.lock().unwrap();
    assert!(world.running.is_empty());
    in_order(&world.delivered);
    in_order(&world.exclusive_starts);
    idle(&scheduler, limit);
}

/// Of each batch, positions only grow.
fn in_order(calls: &[(usize, usize)]) {
    for (at, (batch, position)) in calls.iter().enumerate() {
        let before = calls[..at].iter().filter(|(other, _)| other == batch);
        assert!(before.clone().all(|(_, earlier)| earlier < position), "{calls:?}");
    }
}

/// Nothing is held any more: as many calls as there are slots enter at once.
fn idle(scheduler: &Scheduler, limit: usize) {
    let slots: Vec<_> = (0..limit).map(|_| scheduler.single(Arc::default())).collect();
    let enter = |slot| now(std::pin::pin!(Slot::enter(slot, Needs::default())));
    let turns: Vec<_> = slots.iter().map(enter).collect();
    assert!(turns.iter().all(|turn| matches!(turn, Some(Ok(_)))));
}

fn plans() -> impl Strategy<Value = Plan> {
    let how = prop::sample::select(vec![Ended::Good, Ended::Good, Ended::Failed, Ended::Refused]);
    let sometimes = || prop::option::weighted(0.2, 0..60_u64);
    (
        (prop::bool::weighted(0.7), some_locks(), any::<Option<prop::sample::Index>>()),
        (0..20_u64, 1..20_u64, 0..5_u64),
        (how, sometimes(), sometimes(), prop::bool::weighted(0.1)),
    )
        .prop_map(|((safe, locks, depends_on), times, (how, abort_at, drop_at, stubborn))| {
            Plan {
                safe,
                locks,
                depends_on,
                deciding: times.0,
                running: times.1,
                after: times.2,
                how,
                abort_at,
                drop_at,
                stubborn,
            }
        })
}

fn batches() -> impl Strategy<Value = Vec<BatchPlan>> {
    use SiblingFailurePolicy::{CancelDependent, CancelSiblings, Ignore};
    let siblings = prop::sample::select(vec![Ignore, CancelSiblings, CancelDependent]);
    let batch = (1..4_usize, siblings, prop::collection::vec(plans(), 1..8))
        .prop_map(|(max_parallel, siblings, calls)| BatchPlan { max_parallel, siblings, calls });
    prop::collection::vec(batch, 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_happens_the_guarantees_hold_and_every_call_ends(
        limit in 1..5_usize,
        batches in batches(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(run(limit, batches));
    }
}
