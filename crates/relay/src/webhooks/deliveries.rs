//! Calling agents, as many at once as there is room for.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, sleep, timeout},
};

use super::{
    attempt::deliver,
    claim::{Claim, Claimed},
    record::Record,
};
use crate::{relay::Relay, times::millis};

/// Calls at once, to all agents together.
const AT_ONCE: usize = 512;

/// Agents that are served in one transaction.
const TAKE: u32 = 16;

/// The longest sleep: another node may have left something behind.
const SLEEP: Duration = Duration::from_secs(2);

pub(super) fn start(relay: &Arc<Relay>) {
    let relay = Arc::clone(relay);
    let tasks = relay.tasks.clone();
    tasks.spawn(async move {
        let stopping = relay.stopping.clone();
        tokio::select! {
            () = run(relay) => {}
            () = stopping.cancelled() => {}
        }
    });
}

async fn run(relay: Arc<Relay>) {
    let room = Arc::new(Semaphore::new(AT_ONCE));
    loop {
        let vault = relay.settings.vault.clone();
        let taken = relay.store.write(Claim { now: relay.now(), room: TAKE, vault }).await;
        let pause = match taken {
            Ok(taken) if taken.claimed.is_empty() => until(&relay, taken.next_at),
            Ok(taken) => {
                for claimed in taken.claimed {
                    let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
                    relay.tasks.spawn(call(Arc::clone(&relay), claimed, place));
                }
                continue;
            }
            Err(error) => {
                tracing::warn!(%error, "deliveries cannot be taken");
                SLEEP
            }
        };
        let _ = timeout(pause, relay.deliveries.notified()).await;
    }
}

fn until(relay: &Relay, next_at: Option<i64>) -> Duration {
    let wait = next_at.map(|at| at.saturating_sub(millis(relay.now())).max(0));
    let wait = wait.and_then(|millis| u64::try_from(millis).ok()).map(Duration::from_millis);
    wait.unwrap_or(SLEEP).min(SLEEP)
}

/// Makes one call and writes down how it went, for as long as it takes: only what is written down is
/// not done again.
async fn call(relay: Arc<Relay>, claimed: Claimed, place: OwnedSemaphorePermit) {
    let (started, clock) = (relay.now(), Instant::now());
    let outcome = deliver(&relay, &claimed).await;
    let mut chance = [0; 4];
    relay.entropy.fill(&mut chance);
    let chance = u32::from_le_bytes(chance);
    let record = Record { claimed, outcome, started, took: clock.elapsed(), chance };
    if let Err(error) = relay.store.write(record).await {
        // Its lease runs out, and it is delivered again under the same id.
        tracing::warn!(%error, "the outcome of a delivery was not written down");
        sleep(Duration::from_millis(100)).await;
    }
    drop(place);
    // Its agent may have more.
    relay.deliveries.notify_one();
}
