//! Which thread something was made by.

use std::{
    cell::Cell,
    sync::atomic::{AtomicUsize, Ordering},
};

/// Threads are told apart up to this number.
pub(super) const LANES: usize = 16;

/// The lane of a thread. Threads that are more than there are lanes share them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lane(usize);

impl Lane {
    /// The lane of this thread.
    pub(super) fn mine() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        thread_local! {
            static MINE: Cell<Option<Lane>> = const { Cell::new(None) };
        }
        if let Some(mine) = MINE.get() {
            return mine;
        }
        let mine = Self(NEXT.fetch_add(1, Ordering::Relaxed) % LANES);
        MINE.set(Some(mine));
        mine
    }

    /// Its number, below [`LANES`].
    pub(super) fn number(self) -> usize {
        self.0
    }
}
