//! Clocks, which are passed as arguments and never global.

use std::{
    fmt,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct UnixMillis(u64);

impl UnixMillis {
    /// The largest time that fits the 48 bits an id has for it (the year 10889).
    pub const MAX: Self = Self((1 << 48) - 1);

    /// The time `millis` after the epoch, at most [`Self::MAX`].
    #[must_use]
    pub const fn new(millis: u64) -> Self {
        if millis > Self::MAX.0 { Self::MAX } else { Self(millis) }
    }

    /// Milliseconds since the epoch.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The time `duration` later, rounded down to a millisecond.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        Self::new(self.0.saturating_add(millis))
    }

    /// Returns the time that passed since `earlier`; zero if `earlier` is later.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

impl fmt::Display for UnixMillis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A wall clock.
pub trait Clock: Send + Sync {
    /// Returns the current time. It may stand still or step back; ids and records tolerate both.
    fn now(&self) -> UnixMillis;
}

/// The clock of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place where a real clock is read")]
    fn now(&self) -> UnixMillis {
        // A clock set before 1970 reads as 1970: ids stay unique through their random part.
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        UnixMillis::default().after(since_epoch)
    }
}

impl<C: Clock + ?Sized> Clock for std::sync::Arc<C> {
    fn now(&self) -> UnixMillis {
        (**self).now()
    }
}
