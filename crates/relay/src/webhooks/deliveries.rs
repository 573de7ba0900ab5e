//! Calling agents, as many at once as there is room for.

use std::{pin::pin, sync::Arc, time::Duration};

use tokio::time::{Instant, sleep, timeout};

use super::{
    attempt::deliver,
    call_permits::{CallPermit, CallPermits, LONG},
    claim::{Claim, Claimed},
    record::Record,
};
use crate::{state::Relay, storage::times::millis};

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
    let permits = Arc::new(CallPermits::new());
    loop {
        let (room, vault) = (permits.room().await, relay.settings.vault.clone());
        let claim = Claim { now: relay.now(), agents: TAKE, room, vault };
        let taken = relay.store.write(claim).await;
        let pause = match taken {
            Ok(taken) if taken.claimed.is_empty() => until(&relay, taken.next_at),
            Ok(taken) => {
                for claimed in taken.claimed {
                    // Without a permit it is taken again when its lease ends: this task does not wait for an agent
                    // that does not answer.
                    let Some(permit) = permits.take(claimed.is_well) else { continue };
                    let (relay_in_task, permits) = (Arc::clone(&relay), Arc::clone(&permits));
                    relay.tasks.spawn(call(relay_in_task, claimed, (permits, permit)));
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
async fn call(
    relay: Arc<Relay>,
    claimed: Claimed,
    (permits, mut permit): (Arc<CallPermits>, CallPermit),
) {
    let (started, clock) = (relay.now(), Instant::now());
    let outcome = {
        let mut delivery = pin!(deliver(&relay, &claimed));
        match timeout(LONG, delivery.as_mut()).await {
            Ok(outcome) => outcome,
            Err(_) => {
                if claimed.is_well {
                    permit.make_way(permits.patient());
                }
                delivery.await
            }
        }
    };
    let mut chance = [0; 4];
    relay.entropy.fill(&mut chance);
    let chance = u32::from_le_bytes(chance);
    let record = Record { claimed, outcome, started, took: clock.elapsed(), chance };
    if let Err(error) = relay.store.write(record).await {
        // Its lease runs out, and it is delivered again under the same id.
        tracing::warn!(%error, "the outcome of a delivery was not written down");
        sleep(Duration::from_millis(100)).await;
    }
    drop(permit);
    // Its agent may have more.
    relay.deliveries.notify_one();
}
