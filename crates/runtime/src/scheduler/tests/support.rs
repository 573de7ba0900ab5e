//! What the tests of the scheduler share.

use std::{
    future::Future,
    num::NonZeroUsize,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use assent_ids::{GeneratedId, InvocationId, Ulid};
use assent_protocol::agent_tool::{LockMode, ResourceLock};
use proptest::prelude::*;

use crate::{
    control::Control,
    scheduler::{Member, Needs, Scheduler, SchedulerPolicy, Slot},
};

pub(in crate::scheduler) fn id(call: usize) -> InvocationId {
    InvocationId::from_ulid(Ulid::from_bits(u128::try_from(call).unwrap()))
}

/// Calls that depend on those of these numbers.
pub(in crate::scheduler) fn members(depends_on: &[&[usize]]) -> Vec<Member> {
    let member = |(call, depends_on): (usize, &&[usize])| Member {
        invocation: id(call),
        control: Arc::default(),
        depends_on: depends_on.iter().map(|&call| id(call)).collect(),
    };
    depends_on.iter().enumerate().map(member).collect()
}

pub(super) fn scheduler(max_parallel: usize) -> Scheduler {
    Scheduler::new(NonZeroUsize::new(max_parallel).unwrap())
}

/// A batch on a scheduler, with the controls of its calls.
pub(super) fn batch_on(
    scheduler: &Scheduler,
    policy: SchedulerPolicy,
    depends_on: &[&[usize]],
) -> (Vec<Slot>, Vec<Arc<Control>>) {
    let members = members(depends_on);
    let controls = members.iter().map(|member| Arc::clone(&member.control)).collect();
    let policy = Arc::new(policy.check().unwrap());
    (scheduler.batch(policy, members).unwrap(), controls)
}

/// A batch of this many calls under the standard policy.
pub(super) fn batch(calls: usize) -> (Vec<Slot>, Vec<Arc<Control>>) {
    batch_on(&scheduler(64), SchedulerPolicy::default(), &vec![&[][..]; calls])
}

pub(super) fn safe() -> Needs {
    Needs { concurrency_safe: true, locks: Vec::new() }
}

pub(super) fn alone() -> Needs {
    Needs { concurrency_safe: false, locks: Vec::new() }
}

pub(super) fn locking(key: &str, mode: LockMode) -> Needs {
    Needs { concurrency_safe: true, locks: vec![ResourceLock::new(key, mode)] }
}

/// Whether two calls must not run at the same time.
pub(in crate::scheduler) fn conflict(ours: &[ResourceLock], theirs: &[ResourceLock]) -> bool {
    let clash = |a: &ResourceLock, b: &ResourceLock| {
        a.key == b.key && (a.mode == LockMode::Exclusive || b.mode == LockMode::Exclusive)
    };
    ours.iter().any(|a| theirs.iter().any(|b| clash(a, b)))
}

/// Locks of few keys, so that they conflict often.
pub(in crate::scheduler) fn some_locks() -> impl Strategy<Value = Vec<ResourceLock>> {
    let mode = prop::sample::select(vec![LockMode::Shared, LockMode::Exclusive]);
    let key = prop::sample::select(vec!["a", "b", "c"]);
    let lock = (key, mode).prop_map(|(key, mode)| ResourceLock::new(key, mode));
    prop::collection::vec(lock, 0..4)
}

/// What a future has to say when it is asked once.
pub(super) fn now<F: Future>(future: Pin<&mut F>) -> Option<F::Output> {
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

/// What happened, in order.
#[derive(Clone, Default)]
pub(super) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(super) fn add(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}
