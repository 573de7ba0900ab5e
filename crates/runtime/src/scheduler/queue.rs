//! Which calls of a batch may go now.
//!
//! ```text
//! deciding ──wait──► waiting ──next──► admitted ──start──► running ──release──► over
//!     ▲                 │                  │                                      ▲
//!     └────withdraw─────┴──────────────────┘        end (if it does not run) ─────┘
//! ```
//!
//! Calls are named by rank, their place in the order of running. An admitted call counts against the
//! limit of the batch although it may still wait for locks: so a large batch asks for few locks at a
//! time, and calls of other batches come in between.

use std::{collections::BTreeSet, num::NonZeroUsize};

/// The order within one batch.
#[derive(Debug)]
pub(super) struct Queue {
    spots: Vec<Spot>,
    max_parallel: usize,
    serial: bool,
    /// All that are not over.
    unfinished: BTreeSet<usize>,
    /// Those of them that are not safe, or of which it is not known. Nothing after them may go.
    barriers: BTreeSet<usize>,
    /// Those that wait and do not depend on anything any more.
    ready: BTreeSet<usize>,
    /// How many are admitted or run.
    admitted: usize,
    /// The one that was admitted to run alone.
    exclusive: Option<usize>,
    /// How many run.
    running: usize,
    /// The one that runs, if it is the only one and has been since it began.
    sole: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Spot {
    phase: Phase,
    /// For how many calls it waits.
    dependencies: usize,
    /// It will be stopped, and is not let go any more.
    doomed: bool,
    /// It is known how it ended.
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
    /// A queue of calls of which nothing is known but for how many others each waits, by rank.
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

    /// The call wants to run. False if it is already about to.
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

    /// Lets the next call go. To be asked until there is none, after whatever has changed.
    pub(super) fn next(&mut self) -> Option<usize> {
        // If the first one may not go, none may: what holds it up also holds up all after it.
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

    /// The call does not want to run any more, and has not.
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

    /// The call runs, if it was let go and nothing has doomed it since. Says whether it does.
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

    /// The call does not run any more.
    pub(super) fn release(&mut self, rank: usize) {
        if self.spots.get(rank).is_some_and(|spot| spot.phase == Phase::Running) {
            self.running -= 1;
            self.sole = self.sole.filter(|sole| *sole != rank);
            self.leave(rank);
            self.finish(rank);
        }
    }

    /// It is known how the call ended. If it runs, it still holds up others until it does not.
    pub(super) fn end(&mut self, rank: usize) {
        let Some(spot) = self.spots.get_mut(rank) else { return };
        spot.ended = true;
        if matches!(spot.phase, Phase::Deciding | Phase::Waiting) {
            self.finish(rank);
        }
    }

    /// One of the calls that this one depends on has ended.
    pub(super) fn dependency_ended(&mut self, rank: usize) {
        let Some(spot) = self.spots.get_mut(rank) else { return };
        spot.dependencies = spot.dependencies.saturating_sub(1);
        if spot.may_be_ready() {
            self.ready.insert(rank);
        }
    }

    /// The call will be told to stop: it is not let go any more.
    pub(super) fn doom(&mut self, rank: usize) {
        if let Some(spot) = self.spots.get_mut(rank) {
            spot.doomed = true;
            self.ready.remove(&rank);
        }
    }

    /// Whether the call ran, and no other call of the batch did meanwhile.
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
