//! Which calls of a batch may start now.
//!
//! ```text
//! deciding ──wait──► waiting ──next──► admitted ──start──► running ──release──► over
//!     ▲                 │                  │                                      ▲
//!     └────withdraw─────┴──────────────────┘        end (if it does not run) ─────┘
//! ```
//!
//! Calls are identified by rank, their position in the order of running. An admitted call counts against the
//! limit of the batch although it may still wait for locks: so a large batch requests few locks at a time, and
//! calls of other batches can run in between.

use std::{collections::BTreeSet, num::NonZeroUsize};

/// The order within one batch.
#[derive(Debug)]
pub(super) struct Queue {
    spots: Vec<Spot>,
    max_parallel: usize,
    serial: bool,
    /// All that are not over.
    unfinished: BTreeSet<usize>,
    /// Those that are not safe, or not known to be. No call after them may start.
    barriers: BTreeSet<usize>,
    /// Those that wait and have no unfinished dependencies.
    ready: BTreeSet<usize>,
    /// The number of calls that are admitted or run.
    admitted: usize,
    /// The one that was admitted to run alone.
    exclusive: Option<usize>,
    /// The number of calls that run.
    running: usize,
    /// The call that runs, if no other call has run since it began.
    sole: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Spot {
    phase: Phase,
    /// The number of unfinished dependencies.
    dependencies: usize,
    /// It will be canceled and must not start.
    doomed: bool,
    /// Its end is known.
    ended: bool,
    ran: bool,
    overlapped: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Deciding,
    Waiting,
    Admitted,
    Running,
    Over,
}

impl Queue {
    /// A queue of calls that are still being decided, with the number of dependencies of each, by rank.
    pub(super) fn new(max_parallel: NonZeroUsize, serial: bool, dependencies: &[usize]) -> Self {
        let spot = |&dependencies: &usize| Spot {
            phase: Phase::Deciding,
            dependencies,
            doomed: false,
            ended: false,
            ran: false,
            overlapped: false,
        };
        Self {
            spots: dependencies.iter().map(spot).collect(),
            max_parallel: max_parallel.get(),
            serial,
            unfinished: (0..dependencies.len()).collect(),
            barriers: (0..dependencies.len()).collect(),
            ready: BTreeSet::new(),
            admitted: 0,
            exclusive: None,
            running: 0,
            sole: None,
        }
    }

    /// Adds a call to those that wait to run. Returns `false` if it already waits or runs.
    pub(super) fn wait(&mut self, rank: usize, safe: bool) -> bool {
        let safe = safe && !self.serial;
        let Some(spot) = self.spots.get_mut(rank) else { return false };
        if !matches!(spot.phase, Phase::Deciding | Phase::Over) {
            return false;
        }
        spot.phase = Phase::Waiting;
        if spot.may_be_ready() {
            self.ready.insert(rank);
        }
        self.unfinished.insert(rank);
        if safe {
            self.barriers.remove(&rank);
        } else {
            self.barriers.insert(rank);
        }
        true
    }

    /// Admits the next call. To be called after every change until it returns `None`.
    pub(super) fn next(&mut self) -> Option<usize> {
        // If the first call may not start, none may: what blocks it also blocks all after it.
        let rank = *self.ready.first()?;
        let exclusive = self.barriers.contains(&rank);
        if self.admitted >= self.max_parallel || !self.may_go(rank, exclusive) {
            return None;
        }
        self.ready.remove(&rank);
        self.admitted += 1;
        self.exclusive = exclusive.then_some(rank);
        self.spots.get_mut(rank)?.phase = Phase::Admitted;
        Some(rank)
    }

    fn may_go(&self, rank: usize, exclusive: bool) -> bool {
        if exclusive {
            self.admitted == 0 && self.unfinished.first() == Some(&rank)
        } else {
            self.exclusive.is_none() && self.barriers.first().is_none_or(|first| rank < *first)
        }
    }

    /// Withdraws a call that waits to run.
    pub(super) fn withdraw(&mut self, rank: usize) {
        let Some(spot) = self.spots.get_mut(rank) else { return };
        let admitted = match spot.phase {
            Phase::Admitted => true,
            Phase::Waiting => false,
            Phase::Deciding | Phase::Running | Phase::Over => return,
        };
        let ended = spot.ended;
        spot.phase = Phase::Deciding;
        self.ready.remove(&rank);
        if admitted {
            self.leave(rank);
        }
        if ended {
            self.finish(rank);
        } else {
            self.barriers.insert(rank);
        }
    }

    /// Starts a call that was admitted and is not to be canceled. Returns whether it runs.
    pub(super) fn start(&mut self, rank: usize) -> bool {
        let Some(spot) = self.spots.get_mut(rank).filter(|spot| spot.may_start()) else {
            return false;
        };
        spot.phase = Phase::Running;
        spot.ran = true;
        self.running += 1;
        if self.running == 1 {
            self.sole = Some(rank);
        } else {
            spot.overlapped = true;
            if let Some(other) = self.sole.take().and_then(|sole| self.spots.get_mut(sole)) {
                other.overlapped = true;
            }
        }
        true
    }

    /// Notes that the call does not run any longer.
    pub(super) fn release(&mut self, rank: usize) {
        if self.spots.get(rank).is_some_and(|spot| spot.phase == Phase::Running) {
            self.running -= 1;
            self.sole = self.sole.filter(|sole| *sole != rank);
            self.leave(rank);
            self.finish(rank);
        }
    }

    /// Notes that the end of the call is known. If it runs, it still blocks others until it does not.
    pub(super) fn end(&mut self, rank: usize) {
        let Some(spot) = self.spots.get_mut(rank) else { return };
        spot.ended = true;
        if matches!(spot.phase, Phase::Deciding | Phase::Waiting) {
            self.finish(rank);
        }
    }

    /// Notes that a dependency of the call has ended.
    pub(super) fn dependency_ended(&mut self, rank: usize) {
        let Some(spot) = self.spots.get_mut(rank) else { return };
        spot.dependencies = spot.dependencies.saturating_sub(1);
        if spot.may_be_ready() {
            self.ready.insert(rank);
        }
    }

    /// Notes that the call will be canceled: it must not start.
    pub(super) fn doom(&mut self, rank: usize) {
        if let Some(spot) = self.spots.get_mut(rank) {
            spot.doomed = true;
            self.ready.remove(&rank);
        }
    }

    /// Returns `true` if the call ran and no other call of the batch ran at the same time.
    pub(super) fn ran_alone(&self, rank: usize) -> bool {
        self.spots.get(rank).is_some_and(|spot| spot.ran && !spot.overlapped)
    }

    fn leave(&mut self, rank: usize) {
        self.admitted -= 1;
        self.exclusive = self.exclusive.filter(|exclusive| *exclusive != rank);
    }

    fn finish(&mut self, rank: usize) {
        if let Some(spot) = self.spots.get_mut(rank) {
            spot.phase = Phase::Over;
        }
        self.unfinished.remove(&rank);
        self.barriers.remove(&rank);
        self.ready.remove(&rank);
    }
}

impl Spot {
    fn may_be_ready(&self) -> bool {
        self.phase == Phase::Waiting && self.dependencies == 0 && !self.doomed
    }

    fn may_start(&self) -> bool {
        self.phase == Phase::Admitted && !self.doomed
    }
}

#[cfg(test)]
mod tests;
