//! Broadcasts of news about an agent to all people who have a relation with it.
//!
//! A publication only notes that there are news; a background task appends the events, some hundred
//! people at a time, from where it stopped, also after a crash and on several nodes at once: it
//! holds a lock, and stores its position in the same transaction as the events.

mod chunk;
mod deleted;
mod keys_changed;
mod news;
mod published;
#[cfg(test)]
mod tests;

use std::{sync::Arc, time::Duration};

use assent_ids::AgentId;
use assent_store::{Dialect, StoreError, Tx, Work};

use self::chunk::Chunk;
pub(crate) use self::{
    chunk::pause,
    news::{News, begin, begin_farewell, begin_keys_changed},
};
use crate::{state::Relay, storage::stored_id::stored as id};

/// How often to look for news that this node has missed, such as those of a node that died.
const LOOK: Duration = Duration::from_secs(2);

/// The same for the only node there is: it misses nothing.
const LOOK_ALONE: Duration = Duration::from_secs(600);

/// Starts telling news.
pub(crate) fn start(relay: &Arc<Relay>) {
    relay.tasks.spawn(run(Arc::clone(relay)));
}

/// Tells news until the relay stops.
async fn run(relay: Arc<Relay>) {
    loop {
        let all_told = round(&relay).await;
        let pause = match relay.store.dialect() {
            Dialect::Sqlite if all_told => LOOK_ALONE,
            Dialect::Sqlite | Dialect::Postgres => LOOK,
        };
        tokio::select! {
            () = relay.stopping.cancelled() => return,
            () = relay.broadcasts.notified() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Sends all pending news, a chunk of each agent in turn, so that no agent waits for a popular one. Returns
/// `true` if nothing failed.
async fn round(relay: &Arc<Relay>) -> bool {
    let mut nothing_failed = true;
    while nothing_failed && !relay.stopping.is_cancelled() {
        let agents = match relay.store.read(Waiting).await {
            Ok(agents) if agents.is_empty() => return true,
            Ok(agents) => agents,
            Err(error) => {
                tracing::warn!(%error, "news cannot be told");
                return false;
            }
        };
        for agent in agents {
            let chunk = Chunk { agent, relay: Arc::clone(relay) };
            if let Err(refusal) = relay.commit(chunk).await {
                tracing::warn!(%agent, error = %refusal.error().message, "news cannot be told");
                nothing_failed = false;
            }
        }
    }
    false
}

/// Some agents that have news.
struct Waiting;

impl Work for Waiting {
    type Output = Vec<AgentId>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Vec<AgentId>, StoreError> {
        let waiting = "SELECT DISTINCT agent_id FROM broadcasts ORDER BY agent_id LIMIT 64
            /* whole table */";
        let rows = tx.all(waiting, &[]).await?;
        rows.into_iter().map(|row| id(&row.get::<String>(0)?)).collect()
    }
}
