//! Events that every device has handled, and those that are too old to wait for.

use assent_store::{StoreError, Tx, Work};

use super::{STEP, STEPS, Walk};
use crate::relay::Relay;

/// Everybody whose first event is old.
pub(super) const PARTIES: &str = "SELECT r.party_id FROM recipients r
    WHERE r.party_id > $2 AND $1 > (SELECT e.created_at FROM events e
        WHERE e.party_id = r.party_id ORDER BY e.event_id LIMIT 1)
    ORDER BY r.party_id LIMIT $3";

/// Of the first events of somebody, those that are too old, and those that were handled and are old.
/// A device that has acknowledged nothing holds back what it has not seen.
const FORGET: &str = "DELETE FROM events WHERE party_id = $1 AND event_id IN (
    SELECT e.event_id FROM (SELECT event_id, created_at FROM events
        WHERE party_id = $1 ORDER BY event_id LIMIT $4) AS e
    WHERE e.created_at < $3 OR (e.created_at < $2
        AND EXISTS (SELECT 1 FROM event_acks a
            WHERE a.party_id = $1 AND a.event_id >= e.event_id)
        AND NOT EXISTS (SELECT 1 FROM devices d
            WHERE d.user_id = $1 AND d.removed_at IS NULL AND NOT EXISTS (
                SELECT 1 FROM event_acks a WHERE a.party_id = $1
                AND a.device_id = d.device_id AND a.event_id >= e.event_id))))";

/// One look at the first events of somebody.
struct Step {
    party: String,
    acknowledged: i64,
    everything: i64,
}

impl Work for Step {
    type Output = u64;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<u64, StoreError> {
        let (acknowledged, everything) = (self.acknowledged.into(), self.everything.into());
        tx.change(FORGET, &[(&self.party).into(), acknowledged, everything, STEP.into()]).await
    }
}

pub(super) async fn forget(
    relay: &Relay,
    acknowledged: i64,
    everything: i64,
) -> Result<(), StoreError> {
    let mut parties = Walk::behind("", PARTIES, acknowledged.max(everything));
    loop {
        let some = parties.next(relay).await?;
        if some.is_empty() {
            return Ok(());
        }
        for party in some {
            forget_of(relay, &party, acknowledged, everything).await?;
        }
    }
}

async fn forget_of(
    relay: &Relay,
    party: &str,
    acknowledged: i64,
    everything: i64,
) -> Result<(), StoreError> {
    for _ in 0..STEPS {
        let step = Step { party: party.to_owned(), acknowledged, everything };
        if relay.store.write(step).await? == 0 {
            break;
        }
    }
    Ok(())
}
