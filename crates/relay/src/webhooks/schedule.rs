//! When a delivery that failed is tried again.

use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// After each failure, until three days are over.
const PAUSES: [Duration; 11] = [
    Duration::from_secs(5),
    MINUTE,
    Duration::from_secs(5 * 60),
    Duration::from_secs(30 * 60),
    HOUR,
    Duration::from_secs(2 * 60 * 60),
    Duration::from_secs(5 * 60 * 60),
    Duration::from_secs(10 * 60 * 60),
    Duration::from_secs(14 * 60 * 60),
    Duration::from_secs(18 * 60 * 60),
    Duration::from_secs(21 * 60 * 60),
];

/// For how long a delivery is tried.
pub(super) const GIVE_UP_AFTER: Duration = Duration::from_secs(3 * 24 * 60 * 60);

/// How long to wait after failure number `failures` (from one); `None` if it is given up. `chance` is any
/// number: it moves the time by up to a fifth, so that not everything that failed together comes back
/// together. The first pause is never shorter than it says.
pub(super) fn pause_after(failures: u32, chance: u32) -> Option<Duration> {
    let index = usize::try_from(failures.checked_sub(1)?).ok()?;
    let pause = *PAUSES.get(index)?;
    let fifth = pause / 5;
    Some(pause.saturating_add(fifth.saturating_mul(chance % 1000) / 1000))
}

/// How long after an agent fell silent it is asked again how it is: seldom, and seldomer with time.
pub(super) fn health_pause(silent_for: Duration) -> Duration {
    (silent_for / 4).clamp(30 * SECOND, HOUR / 2)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::{GIVE_UP_AFTER, PAUSES, health_pause, pause_after};

    #[test]
    fn the_first_retry_comes_after_five_seconds_and_the_last_within_three_days() {
        assert_eq!(pause_after(1, 0), Some(Duration::from_secs(5)));
        let last = u32::try_from(PAUSES.len()).unwrap();
        assert!(pause_after(last, 0).is_some() && pause_after(last + 1, 0).is_none());
        let whole: Duration = PAUSES.iter().sum();
        assert!(whole > GIVE_UP_AFTER * 9 / 10 && whole <= GIVE_UP_AFTER, "{whole:?}");
        assert_eq!(pause_after(0, 0), None);
    }

    proptest! {
        #[test]
        fn pauses_grow_and_chance_moves_them_by_a_fifth_at_most(n in 1_u32..11, chance: u32) {
            let (base, moved) = (pause_after(n, 0).unwrap(), pause_after(n, chance).unwrap());
            prop_assert!(moved >= base && moved <= base + base / 5);
            prop_assert!(pause_after(n + 1, 0).unwrap_or(Duration::MAX) > base);
        }

        #[test]
        fn an_agent_is_asked_between_twice_a_minute_and_twice_an_hour(silent in 0_u64..1_000_000) {
            let pause = health_pause(Duration::from_secs(silent));
            prop_assert!((30..=1800).contains(&pause.as_secs()));
        }
    }
}
