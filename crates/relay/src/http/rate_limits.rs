//! Rate limits over sliding windows, shared by all nodes and kept across restarts.

use std::time::Duration;

use assent_ids::UnixMillis;
use assent_protocol::a2h::{ApiCode, ApiError};
use assent_store::{StoreError, Tx};

use crate::{http::Refusal, storage::times::tick};

/// At most `uses` in any `window`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    pub(crate) uses: usize,
    pub(crate) window: Duration,
}

const READ: &str = "SELECT times FROM rate_windows WHERE name = $1";
const WRITE: &str = "INSERT INTO rate_windows (name, times, updated_at) VALUES ($1, $2, $3)
    ON CONFLICT (name) DO UPDATE SET times = excluded.times, updated_at = excluded.updated_at";

/// Counts one use of `name`, or refuses it. A use that is refused does not count.
pub(crate) async fn take(
    tx: &mut Tx,
    name: &str,
    limit: Limit,
    now: UnixMillis,
) -> Result<(), Refusal> {
    try_take(tx, name, limit, now).await?
}

/// Like [`take`], but a refusal is not an error, so that the transaction can go on and be committed.
pub(crate) async fn try_take(
    tx: &mut Tx,
    name: &str,
    limit: Limit,
    now: UnixMillis,
) -> Result<Result<(), Refusal>, StoreError> {
    tx.lock(name).await?;
    let times = match tx.optional(READ, &[name.into()]).await? {
        Some(row) => row.get::<Vec<u8>>(0)?,
        None => Vec::new(),
    };
    match limit.take(&decode(&times), now) {
        Ok(times) => {
            let times = encode(&times);
            tx.execute(WRITE, &[name.into(), times.into(), tick(now).into()]).await?;
            Ok(Ok(()))
        }
        Err(wait) => Ok(Err(limited(wait))),
    }
}

/// The refusal of a request that came too early.
pub(crate) fn limited(wait: Duration) -> Refusal {
    let seconds = wait.as_millis().div_ceil(1000).max(1);
    let seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
    let text = format!("too many requests; try again in {seconds} s");
    ApiError::new(ApiCode::RateLimited, text).retry_after(seconds).into()
}

impl Limit {
    /// The times to remember if there is room for one more use, or how long until there is.
    ///
    /// A clock that went back never makes room: a use counts as made no earlier than the one before.
    fn take(self, times: &[u64], now: UnixMillis) -> Result<Vec<u64>, Duration> {
        let now = now.get().max(times.last().copied().unwrap_or_default());
        let window = u64::try_from(self.window.as_millis()).unwrap_or(u64::MAX);
        let in_window = |time: &&u64| now.saturating_sub(**time) < window;
        let recent: Vec<u64> = times.iter().filter(in_window).copied().collect();
        if recent.len() < self.uses {
            return Ok(recent.into_iter().chain([now]).collect());
        }
        // Room comes when the use that is `uses` back leaves the window.
        let blocking = recent.len().saturating_sub(self.uses);
        let oldest = recent.get(blocking).copied().unwrap_or(now);
        Err(Duration::from_millis(oldest.saturating_add(window).saturating_sub(now)))
    }
}

fn decode(bytes: &[u8]) -> Vec<u64> {
    bytes
        .chunks_exact(8)
        .map(|chunk| chunk.iter().fold(0, |n, byte| n << 8 | u64::from(*byte)))
        .collect()
}

fn encode(times: &[u64]) -> Vec<u8> {
    times.iter().flat_map(|time| time.to_be_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use assent_ids::UnixMillis;
    use proptest::prelude::*;

    use super::{Limit, decode, encode};

    proptest! {
        #[test]
        fn no_window_ever_holds_more_uses_than_allowed_and_none_is_refused_without_need(
            steps in prop::collection::vec(0_u64..400, 1..200),
            uses in 1_usize..8,
        ) {
            let limit = Limit { uses, window: Duration::from_millis(1000) };
            let (mut kept, mut granted, mut now) = (Vec::new(), Vec::<u64>::new(), 10_000_u64);
            for step in steps {
                now += step;
                let in_window = granted.iter().filter(|time| now - **time < 1000).count();
                match limit.take(&kept, UnixMillis::new(now)) {
                    Ok(times) => {
                        prop_assert!(in_window < uses);
                        kept = decode(&encode(&times));
                        granted.push(now);
                    }
                    Err(wait) => {
                        prop_assert_eq!(in_window, uses);
                        let later = UnixMillis::new(now).after(wait);
                        prop_assert!(limit.take(&kept, later).is_ok());
                        let sooner = UnixMillis::new(later.get() - 1);
                        prop_assert!(limit.take(&kept, sooner).is_err());
                    }
                }
                prop_assert!(kept.len() <= uses);
            }
        }
    }

    #[test]
    fn a_clock_that_goes_back_makes_no_room() {
        let limit = Limit { uses: 1, window: Duration::from_secs(60) };
        let kept = limit.take(&[], UnixMillis::new(1_000_000)).unwrap();
        assert!(limit.take(&kept, UnixMillis::new(1)).is_err());
    }
}
