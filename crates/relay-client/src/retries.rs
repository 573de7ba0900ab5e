//! Whether what failed is tried again.

use std::time::Duration;

use assent_outbound::CallError;

use crate::ClientError;

/// How often, and how long, a call that does no harm twice is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// How often after the first time.
    pub attempts: u32,
    /// The longest wait. If the relay asks for a longer one, the call fails instead.
    pub longest_wait: Duration,
}

/// The first wait, unless the relay says how long.
const FIRST_WAIT: Duration = Duration::from_millis(250);

impl Retries {
    /// Nothing is tried again.
    pub const NONE: Self = Self { attempts: 0, longest_wait: Duration::ZERO };
    /// For programs that would otherwise give up: four more times, at most half a minute each.
    pub const PATIENT: Self = Self { attempts: 4, longest_wait: Duration::from_secs(30) };

    /// How long to wait before trying again after `attempt` retries; `None` to give up.
    pub(crate) fn wait(self, attempt: u32, error: &ClientError) -> Option<Duration> {
        if attempt >= self.attempts {
            return None;
        }
        let growing = FIRST_WAIT.saturating_mul(2_u32.saturating_pow(attempt));
        match error {
            ClientError::Refused(refusal) => match (refusal.status.as_u16(), refusal.retry_after) {
                (429 | 503, Some(wait)) => (wait <= self.longest_wait).then_some(wait),
                (503, None) => Some(growing.min(self.longest_wait)),
                _ => None,
            },
            ClientError::Unreachable(
                CallError::Connect(_)
                | CallError::ConnectTimeout(_)
                | CallError::Timeout(_)
                | CallError::Answer(_),
            ) => Some(growing.min(self.longest_wait)),
            _ => None,
        }
    }
}
