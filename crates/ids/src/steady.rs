//! A clock that never goes back.

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use crate::{Clock, SystemClock, UnixMillis};

/// A wall clock that is monotonic: it continues at the pace of a monotonic clock if the wall clock is set
/// back or stopped, and follows the wall clock if that is set forward.
///
/// What has expired stays expired, and later records have later times.
pub struct SteadyClock<Wall = SystemClock, Ticks = Counter> {
    wall: Wall,
    ticks: Ticks,
    /// The latest observed wall-clock time of tick 0.
    began: AtomicU64,
}

/// Counts milliseconds independently of the wall clock.
pub trait Ticks: Send + Sync {
    /// Returns the number of milliseconds so far.
    fn count(&self) -> u64;
}

/// The monotonic clock of the operating system.
#[derive(Clone, Copy, Debug)]
pub struct Counter(Instant);

impl Default for Counter {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Ticks for Counter {
    fn count(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Default for SteadyClock {
    fn default() -> Self {
        Self::new(SystemClock)
    }
}

impl<Wall: Clock> SteadyClock<Wall> {
    /// Creates a clock that starts with the time of `wall`.
    pub fn new(wall: Wall) -> Self {
        Self::counting(wall, Counter::default())
    }
}

impl<Wall: Clock, T: Ticks> SteadyClock<Wall, T> {
    /// Like [`Self::new`], with another monotonic clock.
    pub fn counting(wall: Wall, ticks: T) -> Self {
        Self { wall, ticks, began: AtomicU64::new(0) }
    }

    /// Returns how far this clock is ahead of the wall clock, after that was set back.
    pub fn lead(&self) -> Duration {
        self.now().since(self.wall.now())
    }
}

impl<Wall: Clock, T: Ticks> Clock for SteadyClock<Wall, T> {
    fn now(&self) -> UnixMillis {
        let ticks = self.ticks.count();
        let began = self.wall.now().get().saturating_sub(ticks);
        let began = self.began.fetch_max(began, Ordering::AcqRel).max(began);
        UnixMillis::new(began.saturating_add(ticks))
    }
}

impl<Wall, T> fmt::Debug for SteadyClock<Wall, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SteadyClock").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            Arc,
            atomic::{AtomicU64, Ordering},
        },
        time::Duration,
    };

    use proptest::prelude::*;

    use super::{SteadyClock, Ticks};
    use crate::{Clock, UnixMillis};

    /// A clock that a test sets.
    #[derive(Clone, Default)]
    struct SetClock(Arc<AtomicU64>);

    impl SetClock {
        fn set(&self, value: u64) {
            self.0.store(value, Ordering::SeqCst);
        }
    }

    impl Clock for SetClock {
        fn now(&self) -> UnixMillis {
            UnixMillis::new(self.0.load(Ordering::SeqCst))
        }
    }

    impl Ticks for SetClock {
        fn count(&self) -> u64 {
            self.0.load(Ordering::SeqCst)
        }
    }

    const NOON: u64 = 1_700_000_000_000;
    const HOUR: u64 = 3_600_000;

    #[test]
    fn it_shows_what_the_wall_clock_shows_and_follows_it_forward() {
        let (wall, ticks) = (SetClock::default(), SetClock::default());
        let clock = SteadyClock::counting(wall.clone(), ticks.clone());
        for (count, shown) in [(0, NOON), (1000, NOON + 1000), (2000, NOON + 24 * HOUR)] {
            ticks.set(count);
            wall.set(shown);
            assert_eq!(clock.now().get(), shown);
            assert_eq!(clock.lead(), Duration::ZERO);
        }
    }

    #[test]
    fn it_goes_on_when_the_wall_clock_is_set_back_or_stands_still() {
        let (wall, ticks) = (SetClock::default(), SetClock::default());
        let clock = SteadyClock::counting(wall.clone(), ticks.clone());
        wall.set(NOON);
        assert_eq!(clock.now().get(), NOON);
        wall.set(NOON - HOUR);
        ticks.set(5000);
        assert_eq!(clock.now().get(), NOON + 5000);
        assert_eq!(clock.lead(), Duration::from_millis(HOUR + 5000));
        ticks.set(2 * HOUR);
        assert_eq!(clock.now().get(), NOON + 2 * HOUR);
    }

    proptest! {
        #[test]
        fn it_never_goes_back_and_is_never_behind(
            steps in prop::collection::vec((0_u64..10_000, 0_u64..20 * HOUR), 1..50),
        ) {
            let (wall, ticks) = (SetClock::default(), SetClock::default());
            let clock = SteadyClock::counting(wall.clone(), ticks.clone());
            let (mut count, mut last) = (0, 0);
            for (passed, shown) in steps {
                count += passed;
                ticks.set(count);
                wall.set(NOON + shown);
                let now = clock.now().get();
                let at_least = if last == 0 { 0 } else { last + passed };
                prop_assert!(now >= at_least);
                prop_assert!(now >= NOON + shown);
                last = now;
            }
        }
    }
}
