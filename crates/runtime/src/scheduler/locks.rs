//! Which calls hold which resource locks.
//!
//! A request enters the queues of all its keys at once, and every queue is in the order of tickets. So a
//! request waits only for older ones: there is no deadlock, and no request is overtaken by one that conflicts
//! with it.

use std::collections::BTreeMap;

use assent_protocol::agent_tool::{LockMode, ResourceLock};

/// The position of a request in the order of requests.
pub(super) type Ticket = u64;

/// All resources that are locked or waited for.
#[derive(Debug, Default)]
pub(super) struct LockTable {
    lines: BTreeMap<String, Line>,
    requests: BTreeMap<Ticket, LockRequest>,
}

/// One resource: how it is locked, and the requests that wait for it.
#[derive(Debug, Default)]
struct Line {
    shared: usize,
    exclusive: bool,
    waiting: BTreeMap<Ticket, LockMode>,
}

#[derive(Debug)]
struct LockRequest {
    /// Each key once.
    locks: Vec<ResourceLock>,
    /// The number of its keys that are not locked yet.
    behind: usize,
}

impl LockTable {
    /// Adds a request. Returns `true` if it holds its locks immediately. Tickets must be ascending.
    pub(super) fn join(&mut self, ticket: Ticket, locks: Vec<ResourceLock>) -> bool {
        if locks.is_empty() {
            return true;
        }
        let mut request = LockRequest { locks: each_key_once(locks), behind: 0 };
        for lock in &request.locks {
            let line = self.lines.entry(lock.key.clone()).or_default();
            if line.waiting.is_empty() && line.admits(lock.mode) {
                line.take(lock.mode);
            } else {
                line.waiting.insert(ticket, lock.mode);
                request.behind += 1;
            }
        }
        let free = request.behind == 0;
        self.requests.insert(ticket, request);
        free
    }

    /// Removes a request, whether it holds its locks or waits. Returns the requests that hold all their
    /// locks because of it, the oldest first.
    pub(super) fn leave(&mut self, ticket: Ticket) -> Vec<Ticket> {
        let mut freed = Vec::new();
        let Some(request) = self.requests.remove(&ticket) else { return freed };
        for lock in request.locks {
            let Some(line) = self.lines.get_mut(&lock.key) else { continue };
            if line.waiting.remove(&ticket).is_none() {
                line.give_back(lock.mode);
            }
            while let Some(next) = line.advance() {
                freed.extend(self.requests.get_mut(&next).and_then(|request| request.step(next)));
            }
            if line.is_idle() {
                self.lines.remove(&lock.key);
            }
        }
        freed.sort_unstable();
        freed
    }
}

impl LockRequest {
    /// Notes that one more key is locked. Returns the ticket if that was the last one.
    fn step(&mut self, ticket: Ticket) -> Option<Ticket> {
        self.behind -= 1;
        (self.behind == 0).then_some(ticket)
    }
}

impl Line {
    fn admits(&self, mode: LockMode) -> bool {
        match mode {
            LockMode::Shared => !self.exclusive,
            LockMode::Exclusive => !self.exclusive && self.shared == 0,
        }
    }

    fn take(&mut self, mode: LockMode) {
        match mode {
            LockMode::Shared => self.shared += 1,
            LockMode::Exclusive => self.exclusive = true,
        }
    }

    fn give_back(&mut self, mode: LockMode) {
        match mode {
            LockMode::Shared => self.shared -= 1,
            LockMode::Exclusive => self.exclusive = false,
        }
    }

    /// Grants the lock to the next request, if possible.
    fn advance(&mut self) -> Option<Ticket> {
        let (&ticket, &mode) = self.waiting.first_key_value()?;
        if !self.admits(mode) {
            return None;
        }
        self.waiting.remove(&ticket);
        self.take(mode);
        Some(ticket)
    }

    fn is_idle(&self) -> bool {
        self.shared == 0 && !self.exclusive && self.waiting.is_empty()
    }
}

/// Merges locks with the same key; the stricter mode counts.
fn each_key_once(mut locks: Vec<ResourceLock>) -> Vec<ResourceLock> {
    locks.sort_by(|a, b| a.key.cmp(&b.key));
    locks.dedup_by(|other, kept| {
        let same = other.key == kept.key;
        if same {
            kept.mode = kept.mode.max(other.mode);
        }
        same
    });
    locks
}

#[cfg(test)]
mod tests;
