//! The time of a rehearsal.

use std::time::Duration;

use assent_ids::{Clock, UnixMillis};
use tokio::time::Instant;

/// When every rehearsal begins, so that two runs have the same times: 2026-01-01T00:00:00Z.
pub(super) const BEGINNING: u64 = 1_767_225_600_000;

/// A clock that shows how much time the async runtime has let pass, real or simulated.
#[derive(Debug)]
pub(super) struct RehearsalClock {
    /// What had passed before this life began.
    before: Duration,
    began: Instant,
}

impl RehearsalClock {
    /// The clock of a life that begins now, after `before`.
    pub(super) fn starting(before: Duration) -> Self {
        Self { before, began: Instant::now() }
    }

    /// How long the rehearsal has been going on.
    pub(super) fn elapsed(&self) -> Duration {
        self.before + self.began.elapsed()
    }

    /// The moment at which the rehearsal has been going on for so long.
    pub(super) fn moment(&self, elapsed: Duration) -> Instant {
        self.began + elapsed.saturating_sub(self.before)
    }
}

impl Clock for RehearsalClock {
    fn now(&self) -> UnixMillis {
        UnixMillis::new(BEGINNING).after(self.elapsed())
    }
}
