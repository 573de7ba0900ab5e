//! Events that every device has handled, and those that are too old to wait for.

use assent_store::{StoreError, Tx, Work};

use super::{STEP, STEPS};
use crate::state::Relay;

/// One look at old events, from one age on: those that may go are deleted, the others are passed by.
struct Step {
    sql: &'static str,
    before: i64,
    after: i64,
}

/// The age at which a look that begins behind `$2` ends.
const UNTIL: &str = "SELECT max(created_at) FROM (
    SELECT created_at FROM events WHERE created_at > $2 AND created_at < $1
    ORDER BY created_at LIMIT $3) AS looked_at";

/// Events that are deleted without an acknowledgement. As below, an event is deleted only together with all before it, so that
/// numbers have no holes: times are those of several nodes, and need not grow with the numbers.
const TOO_OLD: &str = "DELETE FROM events WHERE (party_id, event_id) IN (
    SELECT e.party_id, e.event_id FROM events e WHERE e.created_at > $1 AND e.created_at <= $2
    AND NOT EXISTS (SELECT 1 FROM events o
        WHERE o.party_id = e.party_id AND o.event_id < e.event_id
        AND (o.created_at <= $1 OR o.created_at > $2)))";

/// A device that has acknowledged nothing holds back what it has not seen.
const HANDLED: &str = "DELETE FROM events WHERE (party_id, event_id) IN (
    SELECT e.party_id, e.event_id FROM events e WHERE e.created_at > $1 AND e.created_at <= $2
    AND EXISTS (SELECT 1 FROM event_acks a
        WHERE a.party_id = e.party_id AND a.event_id >= e.event_id)
    AND NOT EXISTS (SELECT 1 FROM devices d
        WHERE d.user_id = e.party_id AND d.removed_at IS NULL AND NOT EXISTS (
            SELECT 1 FROM event_acks a WHERE a.party_id = e.party_id
            AND a.device_id = d.device_id AND a.event_id >= e.event_id))
    AND NOT EXISTS (SELECT 1 FROM events o
        WHERE o.party_id = e.party_id AND o.event_id < e.event_id
        AND (o.created_at <= $1 OR o.created_at > $2)))";

impl Work for Step {
    /// How far it looked; nothing if there was nothing to look at.
    type Output = Option<i64>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Option<i64>, StoreError> {
        let range = [self.before.into(), self.after.into(), STEP.into()];
        let until: Option<i64> = tx.scalar(UNTIL, &range).await?;
        if let Some(until) = until {
            tx.execute(self.sql, &[self.after.into(), until.into()]).await?;
        }
        Ok(until)
    }
}

pub(super) async fn forget(
    relay: &Relay,
    acknowledged: i64,
    everything: i64,
) -> Result<(), StoreError> {
    steps(relay, TOO_OLD, everything).await?;
    steps(relay, HANDLED, acknowledged).await
}

/// Looks at all events from before a time, a few at a time.
async fn steps(relay: &Relay, sql: &'static str, before: i64) -> Result<(), StoreError> {
    let mut after = i64::MIN;
    for _ in 0..STEPS {
        match relay.store.write(Step { sql, before, after }).await? {
            Some(until) => after = until,
            None => break,
        }
    }
    Ok(())
}
