//! Looking for what other nodes did, for when the bus was silent.

use assent_ids::Principal;
use std::{collections::BTreeMap, sync::Arc, time::Duration};

use assent_store::{Dialect, Row, StoreError, Tx, Work};

use crate::{
    delivery::hub::Closing,
    state::Relay,
    storage::{stored_id::stored, times::millis},
};

/// How often.
const EVERY: Duration = Duration::from_millis(1500);

/// How far back each look reaches: longer than a transaction takes, and than clocks of nodes differ.
const OVERLAP: Duration = Duration::from_secs(30);

/// Changes that one look takes; the next one goes on.
const AT_ONCE: i64 = 20_000;

/// Does nothing on SQLite, where there is only one node.
pub(super) fn start(relay: &Arc<Relay>) {
    if relay.store.dialect() == Dialect::Sqlite {
        return;
    }
    let relay = Arc::clone(relay);
    let tasks = relay.tasks.clone();
    tasks.spawn(async move {
        let mut seen = Seen::default();
        loop {
            tokio::select! {
                () = tokio::time::sleep(EVERY) => {}
                () = relay.stopping.cancelled() => return,
            }
            let overlap = i64::try_from(OVERLAP.as_millis()).unwrap_or(i64::MAX);
            let since = millis(relay.now()).saturating_sub(overlap);
            match relay.store.read(Look { since }).await {
                Ok(changes) => seen.apply(&relay, changes),
                Err(error) => tracing::warn!(%error, "could not look for events of other nodes"),
            }
        }
    });
}

struct Look {
    since: i64,
}

/// What changed lately.
struct Changes {
    numbers: BTreeMap<Principal, i64>,
    closings: Vec<(Principal, Closing)>,
}

const GROWN: &str = "SELECT party_id, last_event_id FROM recipients
    WHERE updated_at > $1 ORDER BY updated_at DESC LIMIT $2";
const ENDED: &str = "SELECT user_id, family_id FROM token_families WHERE revoked_at > $1";
const REMOVED: &str = "SELECT user_id, device_id FROM devices WHERE removed_at > $1";
const REVOKED: &str = "SELECT agent_id, token_id FROM agent_tokens WHERE revoked_at > $1";
const EXPELLED: &str = "SELECT agent_id, agent_id FROM agents
    WHERE updated_at > $1 AND deleted_at IS NOT NULL";
const SUSPENDED: &str = "SELECT agent_id, agent_id FROM agents
    WHERE updated_at > $1 AND deleted_at IS NULL AND suspended_at IS NOT NULL";

impl Work for Look {
    type Output = Changes;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Changes, StoreError> {
        let mut numbers = BTreeMap::new();
        for row in tx.all(GROWN, &[self.since.into(), AT_ONCE.into()]).await? {
            numbers.insert(stored(&row.get::<String>(0)?)?, row.get(1)?);
        }
        let mut closings =
            self.closings(tx, ENDED, |id| Ok(Closing::LoginEnded(stored(id)?))).await?;
        closings.extend(
            self.closings(tx, REMOVED, |id| Ok(Closing::DeviceRemoved(stored(id)?))).await?,
        );
        closings
            .extend(self.closings(tx, REVOKED, |id| Ok(Closing::TokenRevoked(stored(id)?))).await?);
        closings.extend(self.closings(tx, EXPELLED, |_| Ok(Closing::Expelled)).await?);
        closings.extend(self.closings(tx, SUSPENDED, |_| Ok(Closing::Suspended)).await?);
        Ok(Changes { numbers, closings })
    }
}

impl Look {
    async fn closings(
        &self,
        tx: &mut Tx,
        sql: &'static str,
        why: impl Fn(&str) -> Result<Closing, StoreError>,
    ) -> Result<Vec<(Principal, Closing)>, StoreError> {
        let rows = tx.all(sql, &[self.since.into()]).await?;
        let read = |row: Row| Ok((stored(&row.get::<String>(0)?)?, why(&row.get::<String>(1)?)?));
        rows.into_iter().map(read).collect()
    }
}

/// What the last look saw: looks overlap, and no connection is woken twice for the same event.
#[derive(Default)]
struct Seen {
    numbers: BTreeMap<Principal, i64>,
}

impl Seen {
    fn apply(&mut self, relay: &Relay, changes: Changes) {
        for (party, number) in &changes.numbers {
            if self.numbers.get(party) != Some(number) {
                relay.hub.wake(*party);
            }
        }
        self.numbers = changes.numbers;
        for (party, why) in changes.closings {
            relay.hub.close(party, &why);
        }
    }
}
