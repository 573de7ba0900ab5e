//! The calls of one batch, and how they wait for each other.
//!
//! Mutexes are locked in one order: that of the batch, then that of the capacity. No call is woken or canceled
//! while one is locked.

use std::sync::{Arc, Mutex};

use assent_protocol::agent_tool::{AbortReason, ResourceLock};
use tokio::sync::Notify;

use super::{
    BatchProblem, Ended, Member, Needs, SchedulerPolicy, Shared, Slot,
    arrange::arrange,
    capacity::Grant,
    delivery::Delivery,
    lock,
    queue::Queue,
    siblings::Siblings,
    wake::{Entrance, wake, woken},
};
use crate::control::Control;

/// The shared state of calls that a model requested together.
struct BatchState {
    shared: Arc<Shared>,
    policy: Arc<SchedulerPolicy>,
    /// By rank.
    calls: Vec<MemberCall>,
    /// Wakes a call when its result is next, by position in the model's order.
    turns: Vec<Notify>,
    state: Mutex<State>,
}

#[derive(Clone)]
struct MemberCall {
    control: Arc<Control>,
    entrance: Entrance,
}

struct State {
    queue: Queue,
    siblings: Siblings,
    delivery: Delivery,
    /// The requests of the calls that wait to run, by rank.
    requests: Vec<Option<Request>>,
}

/// The request of a call that waits to run.
enum Request {
    /// Its batch has not admitted it yet.
    Queued(Vec<ResourceLock>),
    /// It has requested capacity and its locks, and may have them.
    Asked(Grant),
}

impl Request {
    fn is_granted(&self, shared: &Shared) -> bool {
        match self {
            Self::Queued(_) => false,
            Self::Asked(grant) => lock(&shared.capacity).is_granted(grant),
        }
    }

    fn into_grant(self) -> Option<Grant> {
        match self {
            Self::Queued(_) => None,
            Self::Asked(grant) => Some(grant),
        }
    }
}

/// A member of a batch.
pub(super) struct Seat {
    batch: Arc<BatchState>,
    call: MemberCall,
    rank: usize,
    position: usize,
}

/// A member that waits to run. Dropping it withdraws the request.
struct Waiting<'a> {
    seat: &'a Seat,
}

/// A member that runs. Dropping it ends the run.
pub(super) struct Running {
    batch: Arc<BatchState>,
    entrance: Entrance,
    rank: usize,
    grant: Option<Grant>,
}

/// Makes slots for these calls.
pub(super) fn open(
    shared: &Arc<Shared>,
    policy: Arc<SchedulerPolicy>,
    members: Vec<Member>,
) -> Result<Vec<Slot>, BatchProblem> {
    let arrangement = arrange(&members)?;
    let call =
        |member: Member| MemberCall { control: member.control, entrance: Entrance::default() };
    let calls: Vec<_> = members.into_iter().map(call).collect();
    let state = State {
        queue: Queue::new(policy.max_parallel, policy.is_serial(), &arrangement.dependencies),
        siblings: Siblings::new(policy.siblings, arrangement.dependents),
        delivery: Delivery::new(policy.is_ordered(), calls.len()),
        requests: calls.iter().map(|_| None).collect(),
    };
    let mut ranked: Vec<_> = arrangement.ranks.iter().zip(&calls).collect();
    ranked.sort_unstable_by_key(|(rank, _)| **rank);
    let batch = Arc::new(BatchState {
        shared: Arc::clone(shared),
        policy,
        calls: ranked.into_iter().map(|(_, call)| call.clone()).collect(),
        turns: calls.iter().map(|_| Notify::new()).collect(),
        state: Mutex::new(state),
    });
    let slot = |(position, (rank, call))| {
        Slot::member(Seat { batch: Arc::clone(&batch), call, rank, position })
    };
    Ok(arrangement.ranks.into_iter().zip(calls).enumerate().map(slot).collect())
}

impl BatchState {
    /// Changes the state, then wakes the calls that can continue because of it.
    fn change<T>(&self, act: impl FnOnce(&mut State, &mut Vec<Entrance>) -> T) -> T {
        let mut freed = Vec::new();
        let mut state = lock(&self.state);
        let result = act(&mut state, &mut freed);
        while let Some(rank) = state.queue.next() {
            freed.extend(self.admit(&mut state, rank));
        }
        drop(state);
        wake(&freed);
        result
    }

    /// Requests capacity and locks for a call that its batch admits. Returns what wakes the call, if it
    /// has them immediately.
    fn admit(&self, state: &mut State, rank: usize) -> Option<Entrance> {
        let MemberCall { entrance, .. } = self.calls.get(rank)?;
        let request = state.requests.get_mut(rank)?.as_mut()?;
        let Request::Queued(locks) = request else { return None };
        let mut capacity = lock(&self.shared.capacity);
        let grant = capacity.ask(std::mem::take(locks), || Arc::clone(entrance));
        let granted = capacity.is_granted(&grant);
        *request = Request::Asked(grant);
        granted.then(|| Arc::clone(entrance))
    }

    fn give_back(&self, grant: Grant, freed: &mut Vec<Entrance>) {
        lock(&self.shared.capacity).give_back(grant, freed);
    }
}

impl Seat {
    pub(super) fn policy(&self) -> &SchedulerPolicy {
        &self.batch.policy
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// Carries requests to stop the call.
    pub(super) fn control(&self) -> &Arc<Control> {
        &self.call.control
    }

    /// Waits for its turn to run.
    pub(super) async fn enter(&self, needs: Needs) -> Result<Running, AbortReason> {
        let MemberCall { control, entrance } = &self.call;
        if let Some(reason) = control.aborted() {
            return Err(reason);
        }
        let mut needs = Some(needs);
        let mut waiting = None;
        loop {
            waiting = waiting.or_else(|| self.ask(&mut needs));
            if let Some(running) = waiting.as_ref().and_then(Waiting::start) {
                return Ok(running);
            }
            woken(entrance, control).await?;
        }
    }

    /// Requests to run; `None` if the call runs already, and then it requests again later.
    fn ask(&self, needs: &mut Option<Needs>) -> Option<Waiting<'_>> {
        self.batch.change(|state, _| {
            let safe = needs.as_ref()?.concurrency_safe;
            if !state.queue.wait(self.rank, safe) {
                return None;
            }
            *state.requests.get_mut(self.rank)? = Some(Request::Queued(needs.take()?.locks));
            Some(Waiting { seat: self })
        })
    }

    /// Records how the call ended, and cancels the calls that must not continue because of it.
    pub(super) fn end(&self, how: Ended) {
        let casualties = self.batch.change(|state, _| {
            let Some(casualties) = state.siblings.end(self.rank, how) else { return Vec::new() };
            state.queue.end(self.rank);
            // Marked before any call is admitted, so that no dependent of a failure starts.
            for &casualty in &casualties {
                state.queue.doom(casualty);
            }
            for &dependent in state.siblings.waiting_for(self.rank) {
                state.queue.dependency_ended(dependent);
            }
            casualties
        });
        for call in casualties.into_iter().filter_map(|rank| self.batch.calls.get(rank)) {
            call.control.abort(AbortReason::SiblingError);
        }
    }

    pub(super) fn may_deliver(&self) -> bool {
        lock(&self.batch.state).delivery.may_deliver(self.position)
    }

    /// Waits until its result is next.
    pub(super) async fn my_turn_to_deliver(&self) {
        while !self.may_deliver() {
            let Some(turn) = self.batch.turns.get(self.position) else { return };
            turn.notified().await;
        }
    }

    pub(super) fn deliver(&self) {
        let next = lock(&self.batch.state).delivery.deliver(self.position);
        if let Some(turn) = next.and_then(|position| self.batch.turns.get(position)) {
            turn.notify_one();
        }
    }

    pub(super) fn ran_alone(&self) -> bool {
        lock(&self.batch.state).queue.ran_alone(self.rank)
    }
}

impl Waiting<'_> {
    /// Begins to run, if the call has everything that it needs.
    fn start(&self) -> Option<Running> {
        let Seat { batch, call, rank, .. } = self.seat;
        let mut state = lock(&batch.state);
        let State { queue, requests, .. } = &mut *state;
        let starts =
            |request: &mut Request| request.is_granted(&batch.shared) && queue.start(*rank);
        let request = requests.get_mut(*rank)?.take_if(starts)?;
        Some(Running {
            batch: Arc::clone(batch),
            entrance: Arc::clone(&call.entrance),
            rank: *rank,
            grant: request.into_grant(),
        })
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let Seat { batch, rank, .. } = self.seat;
        batch.change(|state, freed| {
            // A call that runs has no request any more.
            let Some(request) = state.requests.get_mut(*rank).and_then(Option::take) else {
                return;
            };
            state.queue.withdraw(*rank);
            if let Some(grant) = request.into_grant() {
                batch.give_back(grant, freed);
            }
        });
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.batch.change(|state, freed| {
            if let Some(grant) = self.grant.take() {
                self.batch.give_back(grant, freed);
            }
            state.queue.release(self.rank);
            // The same call may wait to run again.
            freed.push(Arc::clone(&self.entrance));
        });
    }
}
