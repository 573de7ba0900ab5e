//! Makes ids that strictly increase.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{Clock, Entropy, GeneratedId, Ulid, UnixMillis};

/// Makes ids from a clock and a random source. All ids of one minter increase in the order in which
/// they were made, of whatever kind, also within a millisecond and when the clock steps back.
pub struct Minter {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    last: Mutex<Option<Ulid>>,
}

impl Minter {
    /// A minter that has made nothing yet.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Self {
        Self { clock, entropy, last: Mutex::new(None) }
    }

    /// A new id.
    #[must_use]
    pub fn mint<Id: GeneratedId>(&self) -> Id {
        let fresh = Ulid::generate(&*self.clock, &*self.entropy);
        // The value is written in one step, so a panic elsewhere cannot have left it half done.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let next = last.map_or(fresh, |last| fresh.max(last.successor()));
        *last = Some(next);
        Id::from_ulid(next)
    }

    /// The time of the minter's clock.
    #[must_use]
    pub fn now(&self) -> UnixMillis {
        self.clock.now()
    }
}

impl fmt::Debug for Minter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Minter").field("last", &self.last).finish_non_exhaustive()
    }
}
