//! Events that every device has handled, and those that are too old to wait for.

use assent_store::{StoreError, Tx, Work};

use super::{STEP, STEPS};
use crate::relay::Relay;

struct Step {
    acknowledged: i64,
    everything: i64,
}

/// A device that has acknowledged nothing holds back what it has not seen.
const FORGET: &str = "DELETE FROM events WHERE (party_id, event_id) IN (
    SELECT e.party_id, e.event_id FROM events e WHERE e.created_at < $2
    UNION
    SELECT party_id, event_id FROM (
        SELECT e.party_id, e.event_id FROM events e WHERE e.created_at < $1
        AND EXISTS (SELECT 1 FROM event_acks a
            WHERE a.party_id = e.party_id AND a.event_id >= e.event_id)
        AND NOT EXISTS (SELECT 1 FROM devices d
            WHERE d.user_id = e.party_id AND d.removed_at IS NULL AND NOT EXISTS (
                SELECT 1 FROM event_acks a WHERE a.party_id = e.party_id
                AND a.device_id = d.device_id AND a.event_id >= e.event_id))
        ORDER BY e.created_at LIMIT $3) AS handled
    LIMIT $3)";

impl Work for Step {
    type Output = u64;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<u64, StoreError> {
        let values = [self.acknowledged.into(), self.everything.into(), STEP.into()];
        tx.execute(FORGET, &values).await
    }
}

pub(super) async fn forget(
    relay: &Relay,
    acknowledged: i64,
    everything: i64,
) -> Result<(), StoreError> {
    for _ in 0..STEPS {
        if relay.store.write(Step { acknowledged, everything }).await? == 0 {
            break;
        }
    }
    Ok(())
}
