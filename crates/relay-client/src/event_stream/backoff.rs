//! When to reconnect.

use std::time::Duration;

use assent_ids::{Entropy as _, SystemEntropy};
use tokio::time::Instant;

/// The first wait, and the longest.
const FIRST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// When to reconnect: after waits that grow as long as connections bring nothing.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    failures: u32,
    advised: Option<Instant>,
}

impl Backoff {
    /// The relay has said when to come back.
    pub(super) fn advise(&mut self, wait: Duration) {
        self.advised = Some(Instant::now() + wait.min(LONGEST_WAIT));
    }

    /// The connection brought something.
    pub(super) const fn succeed(&mut self) {
        self.failures = 0;
    }

    /// The connection has ended after this time, or was not made. Gives the wait before the next one.
    pub(super) fn fail(&mut self, lasted: Duration) -> Duration {
        if lasted >= LONGEST_WAIT {
            self.succeed();
        }
        let wait = match self.advised.take() {
            Some(at) => at.saturating_duration_since(Instant::now()),
            None => wait(self.failures, jitter()),
        };
        self.failures = self.failures.saturating_add(1);
        wait
    }
}

/// The wait after this many failures. It doubles each time and is up to half shorter at random, so that clients do not
/// all reconnect at once.
fn wait(failures: u32, jitter: u8) -> Duration {
    let whole = FIRST_WAIT.saturating_mul(2_u32.saturating_pow(failures)).min(LONGEST_WAIT);
    whole - whole.mul_f64(f64::from(jitter) / 512.0)
}

fn jitter() -> u8 {
    let mut byte = [0];
    if let Ok(entropy) = SystemEntropy::new() {
        entropy.fill(&mut byte);
    }
    let [byte] = byte;
    byte
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Backoff, FIRST_WAIT, LONGEST_WAIT, wait};

    #[test]
    fn waits_grow_to_half_a_minute_and_differ() {
        assert_eq!(wait(0, 0), FIRST_WAIT);
        assert_eq!(wait(3, 0), FIRST_WAIT * 8);
        assert_eq!(wait(u32::MAX, 0), LONGEST_WAIT);
        for failures in 0..40 {
            let (longest, shortest) = (wait(failures, 0), wait(failures, u8::MAX));
            assert!(shortest < longest && shortest >= longest / 2, "{failures}");
        }
    }

    #[test]
    fn connections_that_bring_nothing_make_waits_grow() {
        let mut backoff = Backoff::default();
        let waits: Vec<Duration> = (0..10).map(|_| backoff.fail(Duration::ZERO)).collect();
        assert!(waits[9] >= LONGEST_WAIT / 2, "{waits:?}");
        backoff.succeed();
        assert!(backoff.fail(Duration::ZERO) <= FIRST_WAIT);
        backoff.fail(Duration::ZERO);
        assert!(backoff.fail(LONGEST_WAIT) <= FIRST_WAIT);
    }
}
