//! The clock of a rehearsal.

use std::time::Duration;

use assent_ids::{Clock, UnixMillis};
use tokio::time::Instant;

/// The start of every rehearsal, so that two runs have the same times: 2026-01-01T00:00:00Z.
pub(super) const BEGINNING: u64 = 1_767_225_600_000;

/// A clock that follows the time of the async runtime, real or simulated.
#[derive(Debug)]
pub(super) struct RehearsalClock {
    /// The time that passed before the last crash.
    before: Duration,
    began: Instant,
}

impl RehearsalClock {
    /// Creates the clock of a runtime that starts now, after `before`.
    pub(super) fn starting(before: Duration) -> Self {
        Self { before, began: Instant::now() }
    }

    /// Returns the time since the start of the rehearsal.
    pub(super) fn elapsed(&self) -> Duration {
        self.before + self.began.elapsed()
    }

    /// Returns the instant at which this much time has passed since the start.
    pub(super) fn moment(&self, elapsed: Duration) -> Instant {
        self.began + elapsed.saturating_sub(self.before)
    }
}

impl Clock for RehearsalClock {
    fn now(&self) -> UnixMillis {
        UnixMillis::new(BEGINNING).after(self.elapsed())
    }
}
