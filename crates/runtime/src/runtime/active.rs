//! The calls that are running now.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use assent_ids::{GeneratedId, InvocationId};
use assent_protocol::agent_tool::ToolResult;

use crate::{control::Control, pipeline::Stop, scheduler::Ended};

/// Number of shards; reduces lock contention.
const SHARD_COUNT: usize = 16;

type Shard = BTreeMap<InvocationId, Arc<Control>>;

/// Every call that was requested and has not ended.
#[derive(Debug, Default)]
pub(super) struct ActiveCalls {
    /// The shard of a call is given by the last bits of its id, which are random.
    shards: [Mutex<Shard>; SHARD_COUNT],
    /// The number of calls that were given up because their callers went away.
    given_up: AtomicU64,
    /// The number of those whose end is known to be durable.
    settled: AtomicU64,
}

/// The state of a call when it is requested.
pub(super) enum Entrance {
    /// It is new. If that cannot be determined, there is a reason why it must not run.
    New(ActiveCallGuard, Option<Box<Stop>>),
    /// A crash interrupted it, and it has not been resumed.
    Interrupted(ActiveCallGuard),
    /// It has ended.
    Ended(Arc<ToolResult>, Ended),
}

/// Keeps a call active. Dropping it removes the call; if there is no result by then, every waiter is
/// notified that there will be none.
#[derive(Debug)]
pub(super) struct ActiveCallGuard {
    active: Arc<ActiveCalls>,
    invocation: InvocationId,
    control: Arc<Control>,
}

impl ActiveCalls {
    /// Makes a call active.
    ///
    /// # Errors
    /// The control of the active call with the same id.
    pub(super) fn enter(
        self: &Arc<Self>,
        invocation: InvocationId,
        control: &Arc<Control>,
    ) -> Result<ActiveCallGuard, Arc<Control>> {
        let mut calls = self.shard(invocation);
        if let Some(running) = calls.get(&invocation) {
            return Err(Arc::clone(running));
        }
        calls.insert(invocation, Arc::clone(control));
        Ok(ActiveCallGuard { active: Arc::clone(self), invocation, control: Arc::clone(control) })
    }

    /// The number of calls given up so far, if the end of one of them may not be durable yet.
    pub(super) fn unsettled(&self) -> Option<u64> {
        let given_up = self.given_up.load(Ordering::Acquire);
        (self.settled.load(Ordering::Acquire) < given_up).then_some(given_up)
    }

    /// Notes that the ends of the first `count` calls that were given up are durable.
    pub(super) fn settle(&self, count: u64) {
        self.settled.fetch_max(count, Ordering::AcqRel);
    }

    pub(super) fn get(&self, invocation: InvocationId) -> Option<Arc<Control>> {
        self.shard(invocation).get(&invocation).cloned()
    }

    /// All calls, oldest first.
    pub(super) fn all(&self) -> Vec<Arc<Control>> {
        let mut all = BTreeMap::new();
        for shard in &self.shards {
            all.extend(lock(shard).iter().map(|(call, control)| (*call, Arc::clone(control))));
        }
        all.into_values().collect()
    }

    fn shard(&self, invocation: InvocationId) -> MutexGuard<'_, Shard> {
        let [first, others @ ..] = &self.shards;
        let number = invocation.ulid().bits() % SHARD_COUNT as u128;
        let other =
            usize::try_from(number).ok().and_then(|number| others.get(number.wrapping_sub(1)));
        lock(other.unwrap_or(first))
    }
}

impl ActiveCallGuard {
    pub(super) fn invocation(&self) -> InvocationId {
        self.invocation
    }

    pub(super) fn control(&self) -> &Arc<Control> {
        &self.control
    }
}

fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    // A map operation either happens or does not.
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for ActiveCallGuard {
    fn drop(&mut self) {
        let is_given_up = !self.control.has_result();
        // Counted before the call is removed: the next sender of the id has to wait for its end.
        if is_given_up {
            self.active.given_up.fetch_add(1, Ordering::AcqRel);
        }
        self.active.shard(self.invocation).remove(&self.invocation);
        if is_given_up {
            self.control.give_up();
        }
    }
}
