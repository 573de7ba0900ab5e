//! Retention: deletes what every recipient has acknowledged after a while, everything else after a longer one.
//!
//! Works in small steps, each a transaction of its own, so that no request waits behind a large one.

mod events;
mod leftovers;
mod messages;

use std::{sync::Arc, time::Duration};

use assent_store::{StoreError, Tx, Work};

use crate::{state::Relay, storage::times::millis};

/// When it begins after a start, unless it is asked for more often.
const FIRST: Duration = Duration::from_secs(60);

/// Rows of one step.
const STEP: i64 = 500;

/// Steps of one round; what is left waits for the next.
const STEPS: u32 = 2_000;

/// Starts forgetting in the background.
pub(crate) fn start(relay: &Arc<Relay>) {
    let relay = Arc::clone(relay);
    let tasks = relay.tasks.clone();
    tasks.spawn(async move {
        let every = relay.settings.retention.every;
        let mut wait = every.min(FIRST);
        loop {
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = relay.stopping.cancelled() => return,
            }
            wait = every;
            if let Err(error) = forget(&relay).await {
                tracing::warn!(%error, "could not forget what is old");
            }
        }
    });
}

/// A statement that deletes at most `$2` rows from before `$1`.
struct Rows {
    sql: &'static str,
    before: i64,
}

impl Work for Rows {
    type Output = u64;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<u64, StoreError> {
        tx.change(self.sql, &[self.before.into(), STEP.into()]).await
    }
}

/// Deletes rows from before a time, a few at a time.
async fn rows(relay: &Relay, sql: &'static str, before: i64) -> Result<(), StoreError> {
    for _ in 0..STEPS {
        if relay.store.write(Rows { sql, before }).await? == 0 {
            break;
        }
    }
    Ok(())
}

/// One round.
async fn forget(relay: &Relay) -> Result<(), StoreError> {
    let retention = relay.settings.retention;
    let before = |age: Duration| {
        let age = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
        millis(relay.now()).saturating_sub(age)
    };
    let acknowledged = before(retention.acknowledged);
    let everything = before(retention.unacknowledged);
    events::forget(relay, acknowledged, everything).await?;
    messages::forget(relay, acknowledged).await?;
    leftovers::forget(relay, before(retention.deliveries)).await
}
