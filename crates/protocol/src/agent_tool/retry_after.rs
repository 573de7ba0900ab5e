//! When to try again. The standard names the field and leaves its unit open: whole seconds are
//! written; numbers, RFC 3339 times and `null` are read.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/errors-and-retries.md>

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::wire::{Count, Timestamp};

/// When to try again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RetryAfter {
    /// After this many seconds.
    Seconds(Count),
    /// After this many seconds, a number that is not whole (or makes no sense).
    Fraction(Number),
    /// At this time.
    At(Timestamp),
    /// Not known; `null` in the record.
    Unknown(()),
}

impl RetryAfter {
    /// How long to wait, counted from `now`. `None` if it does not say.
    #[must_use]
    pub fn wait(&self, now: jiff::Timestamp) -> Option<Duration> {
        match self {
            Self::Seconds(seconds) => Some(Duration::from_secs(seconds.0)),
            Self::Fraction(seconds) => Duration::try_from_secs_f64(seconds.as_f64()?).ok(),
            Self::At(time) => {
                let left = time.instant().ok()?.duration_since(now);
                // A time that has passed means: at once.
                Some(Duration::try_from(left).unwrap_or_default())
            }
            Self::Unknown(()) => None,
        }
    }
}

impl From<Duration> for RetryAfter {
    /// In whole seconds, rounded up: a caller that comes too early would be refused again.
    fn from(wait: Duration) -> Self {
        let rounded = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        Self::Seconds(Count(rounded))
    }
}
