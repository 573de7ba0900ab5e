//! When a connection that is silent has to do something by itself.

use std::time::Duration;

use assent_ids::UnixMillis;
use assent_relay_api::socket::{DEAD_AFTER, PING_INTERVAL};
use tokio::time::Instant;

use super::{EXPIRING, client::Client};

/// The longest time between two looks at the clock on the wall, by which tokens run out: it can be set.
const LOOK: Duration = Duration::from_secs(5);

/// Whether the other side is alive.
pub(super) struct Pulse {
    /// Whether it was heard since the alarm went off last.
    heard: bool,
    last_heard: Instant,
    asked: Instant,
}

/// What to do about it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Check {
    Fine,
    Ask,
    Dead,
}

impl Pulse {
    pub(super) const fn new(now: Instant) -> Self {
        Self { heard: false, last_heard: now, asked: now }
    }

    /// Something came. When exactly does not matter, and asking the clock for each frame would cost.
    pub(super) const fn hear(&mut self) {
        self.heard = true;
    }

    pub(super) fn check(&mut self, now: Instant) -> Check {
        if std::mem::take(&mut self.heard) {
            self.last_heard = now;
        }
        if now.duration_since(self.last_heard) >= DEAD_AFTER {
            return Check::Dead;
        }
        if now.duration_since(self.asked) < PING_INTERVAL {
            return Check::Fine;
        }
        self.asked = now;
        Check::Ask
    }

    /// When the next check is due.
    fn due(&self) -> Instant {
        self.asked + PING_INTERVAL
    }
}

impl Client {
    /// When the alarm has to go off next.
    pub(super) fn deadline(&self, now: UnixMillis, pulse: &Pulse) -> Instant {
        let token = self.token_lifetime(now).map(|left| {
            let warning = left.saturating_sub(EXPIRING);
            let next = if warning.is_zero() { left } else { warning };
            Instant::now() + next.clamp(Duration::from_millis(100), LOOK)
        });
        [token, self.ack_due()].into_iter().flatten().fold(pulse.due(), Instant::min)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use assent_relay_api::socket::{DEAD_AFTER, PING_INTERVAL};
    use tokio::time::Instant;

    use super::{Check, Pulse};

    #[test]
    fn a_silent_client_is_asked_and_in_the_end_given_up() {
        let begin = Instant::now();
        let mut pulse = Pulse::new(begin);
        assert_eq!(pulse.check(begin + PING_INTERVAL / 2), Check::Fine);
        assert_eq!(pulse.check(begin + PING_INTERVAL), Check::Ask);
        assert_eq!(pulse.check(begin + PING_INTERVAL + Duration::from_secs(1)), Check::Fine);
        assert_eq!(pulse.due(), begin + PING_INTERVAL * 2);
        assert_eq!(pulse.check(begin + DEAD_AFTER), Check::Dead);
    }

    #[test]
    fn a_client_that_says_something_is_alive() {
        let begin = Instant::now();
        let mut pulse = Pulse::new(begin);
        assert_eq!(pulse.check(begin + PING_INTERVAL), Check::Ask);
        pulse.hear();
        assert_eq!(pulse.check(begin + PING_INTERVAL * 2), Check::Ask);
        assert_eq!(pulse.check(begin + DEAD_AFTER), Check::Ask);
        assert_eq!(pulse.check(begin + PING_INTERVAL * 2 + DEAD_AFTER), Check::Dead);
    }
}
