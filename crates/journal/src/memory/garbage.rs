//! What waits to be freed.

use super::{
    chunk::Entries,
    lane::{LANES, Lane},
};

/// So many batches of a thread are freed together: few, so that its allocator still has all of it at hand when
/// the next call asks for as much.
const FREED_TOGETHER: usize = 4;

/// So many batches of a thread wait for it. One that appends nothing any more leaves them to others.
const PATIENCE: usize = 32 * FREED_TOGETHER;

/// Forgotten batches, by the thread that made them. Each thread frees its own: their memory is in the
/// caches of its core, and its allocator takes it back without asking another thread.
#[derive(Default)]
pub(super) struct Garbage {
    lanes: [Vec<Entries>; LANES],
    /// A lane that was left alone for too long.
    neglected: Option<usize>,
}

impl Garbage {
    /// Takes a forgotten batch.
    pub(super) fn add(&mut self, lane: Lane, entries: Entries) {
        let Some(waiting) = self.lanes.get_mut(lane.number()) else { return };
        waiting.push(entries);
        if waiting.len() > PATIENCE {
            self.neglected = Some(lane.number());
        }
    }

    /// What this thread is to free now; nothing while there is little of it.
    pub(super) fn take(&mut self) -> Vec<Entries> {
        let neglected = self.neglected.take();
        let lane = neglected.unwrap_or_else(|| Lane::mine().number());
        match self.lanes.get_mut(lane) {
            Some(waiting) if waiting.len() >= FREED_TOGETHER => {
                std::mem::replace(waiting, Vec::with_capacity(2 * FREED_TOGETHER))
            }
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::{FREED_TOGETHER, Garbage, Lane, PATIENCE};
    use crate::{Drafts, memory::chunk::Entries};

    fn add(garbage: &mut Garbage, lane: Lane, count: usize) {
        for _ in 0..count {
            garbage.add(lane, Entries::Fresh(Drafts::default()));
        }
    }

    fn other_lane() -> Lane {
        let lanes = || thread::spawn(Lane::mine).join().unwrap();
        (0..64).map(|_| lanes()).find(|lane| *lane != Lane::mine()).unwrap()
    }

    #[test]
    fn a_thread_frees_what_it_made_once_that_is_worth_while() {
        let mut garbage = Garbage::default();
        add(&mut garbage, Lane::mine(), FREED_TOGETHER - 1);
        assert!(garbage.take().is_empty());
        add(&mut garbage, Lane::mine(), 1);
        assert_eq!(garbage.take().len(), FREED_TOGETHER);
        assert!(garbage.take().is_empty());
    }

    #[test]
    fn what_another_thread_made_is_left_to_it_for_a_while() {
        let (mut garbage, other) = (Garbage::default(), other_lane());
        add(&mut garbage, other, PATIENCE);
        assert!(garbage.take().is_empty());
        add(&mut garbage, other, 1);
        assert_eq!(garbage.take().len(), PATIENCE + 1);
        assert!(garbage.take().is_empty());
    }

    #[test]
    fn a_thread_has_one_lane() {
        assert_eq!(Lane::mine(), Lane::mine());
    }
}
