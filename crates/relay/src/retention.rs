//! Forgetting: what everybody has acknowledged after a while, everything else after a longer one.
//!
//! Small steps, each a transaction of its own, so that nobody waits behind a large one.

mod events;
mod leftovers;
mod messages;

use std::{sync::Arc, time::Duration};

use assent_store::StoreError;

use crate::{relay::Relay, times::millis};

/// How often.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// When it begins after a start.
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
        let mut wait = FIRST;
        loop {
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = relay.stopping.cancelled() => return,
            }
            wait = EVERY;
            if let Err(error) = forget(&relay).await {
                tracing::warn!(%error, "could not forget what is old");
            }
        }
    });
}

/// One round.
pub(crate) async fn forget(relay: &Relay) -> Result<(), StoreError> {
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
