//! Generates ids that strictly increase.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{Clock, Entropy, GeneratedId, Ulid, UnixMillis};

/// Generates ids from a clock and a random source. The ids of one minter strictly increase, also across
/// kinds, within a millisecond and when the clock steps back.
pub struct Minter {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    state: Mutex<State>,
}

/// The number of random bytes that are requested at once: a system call per id would dominate its cost.
const POOL: usize = 25 * Ulid::RANDOM_BYTES;

struct State {
    last: Option<Ulid>,
    pool: [u8; POOL],
    /// The number of bytes of the pool that were used.
    used: usize,
}

impl Minter {
    /// Creates a minter.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Self {
        let state = State { last: None, pool: [0; POOL], used: POOL };
        Self { clock, entropy, state: Mutex::new(state) }
    }

    /// Generates an id.
    #[must_use]
    pub fn mint<Id: GeneratedId>(&self) -> Id {
        let now = self.clock.now();
        // If the random source panics, the pool counts as used up.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = Ulid::new(now, state.random(&*self.entropy));
        let next = state.last.map_or(fresh, |last| fresh.max(last.successor()));
        state.last = Some(next);
        Id::from_ulid(next)
    }

    /// Returns the time of the clock.
    #[must_use]
    pub fn now(&self) -> UnixMillis {
        self.clock.now()
    }
}

impl State {
    /// Returns random bytes that are used only once.
    fn random(&mut self, entropy: &dyn Entropy) -> [u8; Ulid::RANDOM_BYTES] {
        if self.used >= POOL {
            entropy.fill(&mut self.pool);
            self.used = 0;
        }
        let mut random = [0; Ulid::RANDOM_BYTES];
        let unused = self.pool.iter_mut().skip(self.used);
        for (byte, unused) in random.iter_mut().zip(unused) {
            *byte = std::mem::take(unused);
        }
        self.used += Ulid::RANDOM_BYTES;
        random
    }
}

impl fmt::Debug for Minter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Minter").finish_non_exhaustive()
    }
}
