//! A manual clock and a seeded random source, for tests and rehearsals in which two runs must produce
//! the same ids.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use crate::{Clock, Entropy, UnixMillis};

/// A clock that stands still until it is moved.
#[derive(Debug, Default)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// Creates a clock that shows `start`.
    #[must_use]
    pub fn starting_at(start: UnixMillis) -> Self {
        Self(AtomicU64::new(start.get()))
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        self.set(self.now().after(by));
    }

    /// Sets the clock, also backwards.
    pub fn set(&self, to: UnixMillis) {
        self.0.store(to.get(), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> UnixMillis {
        UnixMillis::new(self.0.load(Ordering::SeqCst))
    }
}

/// Bytes that follow from a seed. They are predictable: never use them for tokens, keys or nonces.
#[derive(Debug)]
pub struct SeededEntropy(AtomicU64);

impl SeededEntropy {
    /// Creates the source for `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }

    /// One step of SplitMix64 (Steele, Lea, Flood 2014): a counter and a mixing function, so threads
    /// can share it without a lock.
    fn next(&self) -> u64 {
        const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
        let state = self.0.fetch_add(GAMMA, Ordering::SeqCst).wrapping_add(GAMMA);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            for (to, from) in chunk.iter_mut().zip(self.next().to_le_bytes()) {
                *to = from;
            }
        }
    }
}
