//! The wire between a running call and everybody who may stop it or hear from it.

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

/// One per call: whoever wants it stopped raises a request here, and its executor reports here. The
/// call itself is the only one who acts on either, so nothing about it happens in two places.
#[derive(Debug, Default)]
pub struct Control {
    /// Why the call should stop. Looked at in every stage, so no lock is taken for it.
    abort: OnceLock<AbortReason>,
    state: Mutex<State>,
    /// Wakes the call.
    changed: Notify,
    /// Wakes its executor.
    aborting: Notify,
    /// How the call ended, which is known before its result may come out.
    how: OnceLock<Ended>,
    /// What came of the call.
    result: OnceLock<Arc<ToolResult>>,
    /// Nobody carries the call on any more, and there is no result.
    is_given_up: AtomicBool,
    /// How many wait for the result.
    waiting: AtomicUsize,
    /// What carries the call on as long as anybody waits, if it is a task of its own.
    task: OnceLock<AbortHandle>,
    /// Wakes whoever waits for either.
    ended: Notify,
}

#[derive(Debug, Default)]
struct State {
    interrupt: Option<InterruptBehavior>,
    reports: Vec<Report>,
    /// Calls of other batches that depend on this one.
    followers: Vec<(Weak<Control>, SiblingFailurePolicy)>,
}

/// What an executor says while it works.
#[derive(Debug)]
pub(crate) enum Report {
    /// It got somewhere.
    Progress(crate::executor::Progress),
    /// A part of the result is ready.
    Partial(assent_json::Json),
    /// It needs an answer to go on.
    NeedsInput(crate::executor::Question),
    /// It stops because it was told to.
    Stopping,
}

impl Control {
    /// Asks for the call to be stopped. The first reason stays.
    pub fn abort(&self, reason: AbortReason) {
        self.abort.get_or_init(|| reason);
        self.changed.notify_one();
        self.aborting.notify_waiters();
    }

    /// Says what an interruption does to the call.
    pub(crate) fn on_interrupt(&self, behavior: InterruptBehavior) {
        self.lock().interrupt = Some(behavior);
    }

    /// A person interrupts: the call is stopped if it may be, and ends by itself if not.
    pub fn interrupt(&self) {
        if self.lock().interrupt == Some(InterruptBehavior::Cancel) {
            self.abort(AbortReason::UserInterruption);
        }
    }

    /// Waits until the call should stop.
    pub async fn aborting(&self) -> AbortReason {
        loop {
            let mut woken = pin!(self.aborting.notified());
            // Enlisting before looking: a request in between is not missed.
            woken.as_mut().enable();
            if let Some(reason) = self.aborted() {
                return reason;
            }
            woken.await;
        }
    }

    /// Why the call should stop, if it should.
    #[must_use]
    pub fn aborted(&self) -> Option<AbortReason> {
        self.abort.get().copied()
    }

    /// Says how the call ended: calls of other batches that depend on it go on, or are told to stop.
    /// Only the first end counts.
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

    /// Has a call of another batch told to stop as soon as this one ends in a way that it must not
    /// outlast. A call that begins to run looks for itself, with [`Self::concluded`].
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

    /// Hands the result to everybody who waits for it.
    pub(crate) fn end(&self, result: &Arc<ToolResult>) {
        self.result.get_or_init(|| result.clone());
        self.ended.notify_waiters();
    }

    /// Waits for the result. None if the call was given up before there was one: what came of it then, only the
    /// journal tells.
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

    /// Nobody carries the call on any more.
    pub(crate) fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Release);
        self.ended.notify_waiters();
    }

    /// The call has a task of its own, which ends when nobody waits for the result any more.
    pub(crate) fn carried_by(&self, task: AbortHandle) {
        self.task.get_or_init(|| task);
    }

    /// Somebody waits for the result, until this is dropped.
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

    /// Waits until something was raised or reported since the last wait.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is one assignment or one push: a panic elsewhere leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody who waits for the result of a call.
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
