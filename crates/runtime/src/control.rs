//! The connection between a running call, its executor, and its callers.

use std::{
    pin::pin,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use assent_protocol::agent_tool::{
    AbortReason, InterruptBehavior, SiblingFailurePolicy, ToolResult,
};
use tokio::{sync::Notify, task::AbortHandle};

use crate::scheduler::Ended;

/// Carries requests to stop a call, the reports of its executor, and its result. Only the task of the call
/// acts on requests and reports.
#[derive(Debug, Default)]
pub struct Control {
    /// Why the call should stop.
    abort: OnceLock<AbortReason>,
    state: Mutex<State>,
    /// Wakes the call.
    changed: Notify,
    /// Wakes its executor.
    aborting: Notify,
    /// How the call ended, which is known before its result is released.
    how: OnceLock<Ended>,
    /// The result of the call.
    result: OnceLock<Arc<ToolResult>>,
    /// The call was given up without a result.
    is_given_up: AtomicBool,
    /// The number of callers that wait for the result.
    waiting: AtomicUsize,
    /// The task of the call, if it has one of its own. It is aborted when no caller waits any longer.
    task: OnceLock<AbortHandle>,
    /// Wakes the tasks that wait for the end or the result.
    ended: Notify,
}

#[derive(Debug, Default)]
struct State {
    interrupt: Option<InterruptBehavior>,
    reports: Vec<Report>,
    /// Calls of other batches that depend on this one.
    followers: Vec<(Weak<Control>, SiblingFailurePolicy)>,
}

/// A report of an executor while it runs.
#[derive(Debug)]
pub(crate) enum Report {
    /// Progress.
    Progress(crate::executor::Progress),
    /// A part of the result.
    Partial(assent_json::Json),
    /// It needs input to continue.
    NeedsInput(crate::executor::Question),
    /// It stops because it was asked to.
    Stopping,
}

impl Control {
    /// Requests that the call stops. The first reason is kept.
    pub fn abort(&self, reason: AbortReason) {
        self.abort.get_or_init(|| reason);
        self.changed.notify_one();
        self.aborting.notify_waiters();
    }

    /// Sets what an interruption does to the call.
    pub(crate) fn on_interrupt(&self, behavior: InterruptBehavior) {
        self.lock().interrupt = Some(behavior);
    }

    /// Handles an interruption by a person: the call stops if it may be interrupted, and continues otherwise.
    pub fn interrupt(&self) {
        if self.lock().interrupt == Some(InterruptBehavior::Cancel) {
            self.abort(AbortReason::UserInterruption);
        }
    }

    /// Waits until the call should stop.
    pub async fn aborting(&self) -> AbortReason {
        loop {
            let mut woken = pin!(self.aborting.notified());
            // Registered before the check, so that no request is missed.
            woken.as_mut().enable();
            if let Some(reason) = self.aborted() {
                return reason;
            }
            woken.await;
        }
    }

    /// Why the call should stop; `None` if it should not.
    #[must_use]
    pub fn aborted(&self) -> Option<AbortReason> {
        self.abort.get().copied()
    }

    /// Sets how the call ended. Calls of other batches that depend on it continue, or are canceled. Only
    /// the first end counts.
    pub(crate) fn conclude(&self, how: Ended) {
        if self.how.set(how).is_err() {
            return;
        }
        let followers = std::mem::take(&mut self.lock().followers);
        for (follower, siblings) in followers {
            if let Some(follower) = follower.upgrade().filter(|_| how.cancels_dependents(siblings))
            {
                follower.abort(AbortReason::SiblingError);
            }
        }
        self.ended.notify_waiters();
    }

    /// Registers a call of another batch that is canceled if this one ends in a way that its sibling policy
    /// does not tolerate. A call that is about to run checks that itself, with [`Self::concluded`].
    pub(crate) fn followed_by(&self, follower: &Arc<Self>, siblings: SiblingFailurePolicy) {
        let mut state = self.lock();
        if self.how.get().is_none() {
            state.followers.push((Arc::downgrade(follower), siblings));
        }
    }

    /// Waits until it is known how the call ended.
    pub(crate) async fn concluded(&self) -> Ended {
        loop {
            let mut woken = pin!(self.ended.notified());
            woken.as_mut().enable();
            if let Some(how) = self.how.get() {
                return *how;
            }
            if self.is_given_up.load(Ordering::Acquire) {
                return Ended::Canceled;
            }
            woken.await;
        }
    }

    /// Sets the result and wakes its waiters.
    pub(crate) fn end(&self, result: &Arc<ToolResult>) {
        self.result.get_or_init(|| result.clone());
        self.ended.notify_waiters();
    }

    /// Waits for the result; `None` if the call was given up before there was one. The journal then knows how
    /// it ended.
    pub(crate) async fn result(&self) -> Option<Arc<ToolResult>> {
        loop {
            let mut woken = pin!(self.ended.notified());
            woken.as_mut().enable();
            if self.has_result() || self.is_given_up.load(Ordering::Acquire) {
                return self.result.get().cloned();
            }
            woken.await;
        }
    }

    pub(crate) fn has_result(&self) -> bool {
        self.result.get().is_some()
    }

    /// Marks the call as given up.
    pub(crate) fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Release);
        self.ended.notify_waiters();
    }

    /// Sets the task of the call. It is aborted when no caller waits for the result any longer.
    pub(crate) fn carried_by(&self, task: AbortHandle) {
        self.task.get_or_init(|| task);
    }

    /// Registers a caller that waits for the result, until the guard is dropped.
    pub(crate) fn wait(&self) -> Waiting<'_> {
        self.waiting.fetch_add(1, Ordering::AcqRel);
        Waiting(self)
    }

    pub(crate) fn report(&self, report: Report) {
        self.lock().reports.push(report);
        self.changed.notify_one();
    }

    pub(crate) fn take_reports(&self) -> Vec<Report> {
        std::mem::take(&mut self.lock().reports)
    }

    /// Waits for a request or a report since the last wait.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is one assignment or one push, so the state is consistent even after a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A caller that waits for the result of a call.
pub(crate) struct Waiting<'a>(&'a Control);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let Self(call) = self;
        let was_last = call.waiting.fetch_sub(1, Ordering::AcqRel) == 1;
        if let Some(task) = call.task.get().filter(|_| was_last && !call.has_result()) {
            task.abort();
        }
    }
}
