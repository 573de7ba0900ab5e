//! Values that several settings have.

use std::{fmt, time::Duration};

/// What is no duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a duration such as `90s`, `15m`, `12h` or `30d`")]
pub struct DurationError;

const UNITS: [(char, u64); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

/// Reads a duration: a number and a unit.
///
/// # Errors
///
/// If it is none, or zero.
pub fn duration(text: &str) -> Result<Duration, DurationError> {
    let unit = |(unit, seconds): &(char, u64)| {
        let number = text.strip_suffix(*unit)?;
        let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| number.parse::<u64>().ok()?.checked_mul(*seconds)).flatten()
    };
    let seconds = UNITS.iter().find_map(unit).filter(|seconds| *seconds > 0);
    seconds.map(Duration::from_secs).ok_or(DurationError)
}

/// A duration, written with the largest unit that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Days(pub Duration);

impl fmt::Display for Days {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        let fits = |unit: &&(char, u64)| seconds.checked_rem(unit.1) == Some(0);
        let (unit, length) = UNITS.iter().find(fits).copied().unwrap_or(('s', 1));
        write!(f, "{}{unit}", seconds.checked_div(length).unwrap_or(seconds))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::{Days, duration};

    proptest! {
        #[test]
        fn what_is_written_is_read_again(seconds in 1_u64..10_000_000_000) {
            let length = Duration::from_secs(seconds);
            prop_assert_eq!(duration(&Days(length).to_string()), Ok(length));
        }

        #[test]
        fn any_text_is_a_duration_or_none(text in ".{0,24}") {
            let _ = duration(&text);
        }
    }

    #[test]
    fn only_a_number_with_a_unit_is_a_duration() {
        assert_eq!(duration("15m"), Ok(Duration::from_secs(900)));
        assert_eq!(Days(Duration::from_secs(90)).to_string(), "90s");
        for bad in ["", "5", "m", "0s", "-1s", "+1s", "1.5h", "1 d", "1w", "99999999999999999999s"]
        {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
