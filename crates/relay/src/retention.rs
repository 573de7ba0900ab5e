//! Forgetting: what everybody has acknowledged after a while, everything else after a longer one.
//!
//! Events lie in the order of their recipient and messages in that of their conversation, and both are forgotten from
//! the beginning. So nothing is sorted by age: whoever begins with something old is looked at, one after the other.
//! Small steps, each a transaction of its own, so that nobody waits behind a large one.

mod awaited;
mod events;
mod leftovers;
mod messages;

use std::{sync::Arc, time::Duration};

use assent_store::{StoreError, Tx, Work};

use crate::{relay::Relay, times::millis};

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

/// A walk over all ids whose first row is from before a time, in their order.
struct Walk {
    /// Finds at most `$3` ids behind `$2` that begin before `$1`.
    sql: &'static str,
    before: i64,
    after: String,
}

impl Walk {
    fn behind(after: &str, sql: &'static str, before: i64) -> Self {
        Self { sql, before, after: after.to_owned() }
    }

    /// The next few; none at the end.
    async fn next(&mut self, relay: &Relay) -> Result<Vec<String>, StoreError> {
        let &mut Self { sql, before, ref after } = self;
        let found = relay.store.read(Found { sql, before, after: after.clone() }).await?;
        if let Some(last) = found.last() {
            self.after.clone_from(last);
        }
        Ok(found)
    }
}

struct Found {
    sql: &'static str,
    before: i64,
    after: String,
}

impl Work for Found {
    type Output = Vec<String>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Vec<String>, StoreError> {
        let values = [self.before.into(), (&self.after).into(), STEP.into()];
        tx.column(self.sql, &values).await
    }
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
