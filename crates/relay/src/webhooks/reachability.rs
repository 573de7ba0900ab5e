//! Agents that have been silent for long: they are asked how they are, and get what waited once they are
//! well.

use std::{sync::Arc, time::Duration};

use assent_ids::UnixMillis;
use assent_outbound::Request;
use assent_store::{StoreError, Tx, Work};
use bytes::Bytes;
use http::{HeaderMap, Method};

use super::{
    line,
    record::PARKED,
    schedule::{GIVE_UP_AFTER, health_pause},
};
use crate::{state::Relay, storage::times::millis};

/// How often to look for agents that have to be asked.
const EVERY: Duration = Duration::from_secs(2);

/// Agents that are asked at once.
const AT_ONCE: i64 = 16;

/// How long a node keeps an agent to itself while it asks.
const LEASE: Duration = Duration::from_secs(60);

pub(super) fn start(relay: &Arc<Relay>) {
    let relay = Arc::clone(relay);
    let tasks = relay.tasks.clone();
    tasks.spawn(async move {
        loop {
            tokio::select! {
                () = tokio::time::sleep(EVERY) => {}
                () = relay.stopping.cancelled() => return,
            }
            match relay.store.write(ToAsk { now: relay.now() }).await {
                Ok(silent) => {
                    for agent in silent {
                        relay.tasks.spawn(ask(Arc::clone(&relay), agent));
                    }
                }
                Err(error) => tracing::warn!(%error, "unreachable agents cannot be looked up"),
            }
        }
    });
}

/// An agent that is unreachable.
struct Silent {
    agent_id: String,
    health_check_url: String,
    since: i64,
}

struct ToAsk {
    now: UnixMillis,
}

const DUE: &str = "SELECT agent_id, health_check_url, unreachable_since FROM agents
    WHERE next_health_check_at <= $1 AND health_check_url IS NOT NULL AND deleted_at IS NULL
    LIMIT $2";
const LEASED: &str = "UPDATE agents SET next_health_check_at = $2 WHERE agent_id = $1";

impl Work for ToAsk {
    type Output = Vec<Silent>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Vec<Silent>, StoreError> {
        tx.lock("webhook_health").await?;
        let mut silent = Vec::new();
        for row in tx.all(DUE, &[millis(self.now).into(), AT_ONCE.into()]).await? {
            let agent_id: String = row.get(0)?;
            let until = millis(self.now.after(LEASE));
            tx.execute(LEASED, &[(&agent_id).into(), until.into()]).await?;
            let since = row.get::<Option<i64>>(2)?.unwrap_or_default();
            silent.push(Silent { agent_id, health_check_url: row.get(1)?, since });
        }
        Ok(silent)
    }
}

async fn ask(relay: Arc<Relay>, agent: Silent) {
    let well = is_well(&relay, &agent.health_check_url).await;
    let record = Asked { agent, well, now: relay.now() };
    match relay.store.write(record).await {
        Ok(()) if well => relay.deliveries.notify_one(),
        Ok(()) => {}
        Err(error) => tracing::warn!(%error, "the health of an agent was not written down"),
    }
}

async fn is_well(relay: &Relay, url: &str) -> bool {
    let Ok(target) = relay.webhooks.target(url) else { return false };
    let Ok(client) = relay.webhooks.client().await else { return false };
    let request =
        Request { method: Method::GET, target, headers: HeaderMap::new(), body: Bytes::new() };
    client.send(request).await.is_ok_and(|response| response.status.is_success())
}

struct Asked {
    agent: Silent,
    well: bool,
    now: UnixMillis,
}

const RECOVERED: &str = "UPDATE agents SET failing_since = NULL, unreachable_since = NULL,
    next_health_check_at = NULL WHERE agent_id = $1";
const RESUME: &str = "UPDATE webhook_deliveries SET next_attempt_at = $2
    WHERE agent_id = $1 AND status = 'pending' AND leased_until <= $2";
const ASK_AGAIN: &str = "UPDATE agents SET next_health_check_at = $2
    WHERE agent_id = $1 AND unreachable_since IS NOT NULL";
/// Not for a delivery that its owner requested and that was not attempted since.
const PARK: &str = "UPDATE webhook_deliveries SET next_attempt_at = $2
    WHERE agent_id = $1 AND status = 'pending' AND next_attempt_at < $2
        AND (asked_at IS NULL OR next_attempt_at > asked_at)";
const GIVE_UP: &str = "UPDATE webhook_deliveries SET status = 'failed', finished_at = $3
    WHERE agent_id = $1 AND status = 'pending' AND COALESCE(asked_at, created_at) < $2";

/// The agent is not called any more: it fetches what it has not got, which does not count as a failure.
pub(crate) async fn give_up(tx: &mut Tx, agent: &str, now: UnixMillis) -> Result<(), StoreError> {
    let everything = i64::MAX;
    tx.execute(GIVE_UP, &[agent.into(), everything.into(), millis(now).into()]).await
}

/// Delivers what waits, because the agent is well again or has another address.
pub(crate) async fn try_again(
    tx: &mut Tx,
    agent_id: &str,
    now: UnixMillis,
) -> Result<(), StoreError> {
    tx.execute(RECOVERED, &[agent_id.into()]).await?;
    tx.execute(RESUME, &[agent_id.into(), millis(now).into()]).await?;
    line::join(tx, agent_id, millis(now)).await
}

impl Work for Asked {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let (agent_id, now) = (&self.agent.agent_id, millis(self.now));
        if self.well {
            return try_again(tx, agent_id, self.now).await;
        }
        let silent_for = u64::try_from(now.saturating_sub(self.agent.since)).unwrap_or_default();
        let pause = health_pause(Duration::from_millis(silent_for));
        let next = millis(self.now.after(pause));
        tx.execute(ASK_AGAIN, &[agent_id.into(), next.into()]).await?;
        tx.execute(PARK, &[agent_id.into(), PARKED.into()]).await?;
        let patience = i64::try_from(GIVE_UP_AFTER.as_millis()).unwrap_or(i64::MAX);
        let old = now.saturating_sub(patience);
        tx.execute(GIVE_UP, &[agent_id.into(), old.into(), now.into()]).await?;
        Ok(())
    }
}
