//! The limit of the runtime and the locks of all its calls.
//!
//! Whoever has his locks gets the next free slot in the order of asking. Whoever waits for locks does
//! not hold up others.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroUsize,
};

use assent_protocol::agent_tool::ResourceLock;

use super::locks::{LockTable, Ticket};

/// Capacity to run in. `W` is whatever wakes the one who waits.
#[derive(Debug)]
pub(super) struct Capacity<W> {
    limit: usize,
    running: usize,
    next: Ticket,
    locks: LockTable,
    /// All but the calls without locks that found a free slot.
    requests: BTreeMap<Ticket, State<W>>,
    /// Those that have their locks and only wait for a slot.
    ready: BTreeSet<Ticket>,
}

#[derive(Debug)]
enum State<W> {
    /// Waits for its locks.
    Blocked(W),
    /// Waits for a slot.
    Ready(W),
    Running,
}

/// A slot, or the right to the next one. To be given back exactly once.
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

    /// Asks for a slot and for locks. The waker is made only if it may be needed.
    pub(super) fn ask(&mut self, locks: Vec<ResourceLock>, waker: impl FnOnce() -> W) -> Grant {
        // INVARIANT: if a slot is free, nobody is ready for it.
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

    /// Whether it is a slot by now.
    pub(super) fn is_granted(&self, grant: &Grant) -> bool {
        grant.0.is_none_or(|ticket| matches!(self.requests.get(&ticket), Some(State::Running)))
    }

    /// Takes back a slot, or the right to one, and says who is to be woken.
    #[expect(clippy::needless_pass_by_value, reason = "what is given back is gone")]
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
