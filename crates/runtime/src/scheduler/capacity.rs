//! The limit of the runtime and the locks of all its calls.
//!
//! Calls that hold their locks get capacity in the order of their requests. A call that waits for locks does
//! not block others.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroUsize,
};

use assent_protocol::agent_tool::ResourceLock;

use super::locks::{LockTable, Ticket};

/// The number of calls that may run at once. `W` wakes a call that waits.
#[derive(Debug)]
pub(super) struct Capacity<W> {
    limit: usize,
    running: usize,
    next: Ticket,
    locks: LockTable,
    /// All requests, except those without locks that were granted immediately.
    requests: BTreeMap<Ticket, State<W>>,
    /// Those that hold their locks and only wait for capacity.
    ready: BTreeSet<Ticket>,
}

#[derive(Debug)]
enum State<W> {
    /// Waits for its locks.
    Blocked(W),
    /// Waits for capacity.
    Ready(W),
    Running,
}

/// Granted or requested capacity. To be given back exactly once.
#[derive(Debug)]
#[must_use]
pub(super) struct Grant(Option<Ticket>);

impl<W> Capacity<W> {
    pub(super) fn new(limit: NonZeroUsize) -> Self {
        Self {
            limit: limit.get(),
            running: 0,
            next: 0,
            locks: LockTable::default(),
            requests: BTreeMap::new(),
            ready: BTreeSet::new(),
        }
    }

    /// Requests capacity and locks.
    pub(super) fn ask(&mut self, locks: Vec<ResourceLock>, waker: impl FnOnce() -> W) -> Grant {
        // INVARIANT: if there is capacity, no request is ready.
        let free = self.running < self.limit;
        if free && locks.is_empty() {
            self.running += 1;
            return Grant(None);
        }
        let ticket = self.next;
        self.next += 1;
        let state = if !self.locks.join(ticket, locks) {
            State::Blocked(waker())
        } else if free {
            self.running += 1;
            State::Running
        } else {
            self.ready.insert(ticket);
            State::Ready(waker())
        };
        self.requests.insert(ticket, state);
        Grant(Some(ticket))
    }

    /// Returns `true` if the request is granted.
    pub(super) fn is_granted(&self, grant: &Grant) -> bool {
        grant.0.is_none_or(|ticket| matches!(self.requests.get(&ticket), Some(State::Running)))
    }

    /// Releases the capacity or withdraws the request, and adds the calls to wake to `woken`.
    #[expect(clippy::needless_pass_by_value, reason = "a grant is given back once")]
    pub(super) fn give_back(&mut self, grant: Grant, woken: &mut Vec<W>) {
        if let Some(ticket) = grant.0 {
            match self.requests.remove(&ticket) {
                Some(State::Running) => self.running -= 1,
                Some(State::Ready(_)) => _ = self.ready.remove(&ticket),
                Some(State::Blocked(_)) | None => {}
            }
            for freed in self.locks.leave(ticket) {
                self.unblock(freed);
            }
        } else {
            self.running -= 1;
        }
        self.fill(woken);
    }

    fn unblock(&mut self, ticket: Ticket) {
        if let Some(State::Blocked(waker)) = self.requests.remove(&ticket) {
            self.requests.insert(ticket, State::Ready(waker));
            self.ready.insert(ticket);
        }
    }

    fn fill(&mut self, woken: &mut Vec<W>) {
        while self.running < self.limit {
            let Some(ticket) = self.ready.pop_first() else { return };
            if let Some(State::Ready(waker)) = self.requests.insert(ticket, State::Running) {
                self.running += 1;
                woken.push(waker);
            }
        }
    }
}

#[cfg(test)]
mod tests;
