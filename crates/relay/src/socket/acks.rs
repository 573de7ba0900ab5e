//! How far devices have come.

use std::sync::Arc;

use assent_ids::{DeviceId, EventSeq, UnixMillis};
use assent_store::{StoreError, Tx, Work};

use crate::{events::count, party::Party, relay::Relay, times::millis, tray::Tray};

/// Everything up to `event` was handled by this device.
pub(crate) struct WriteAck {
    party: Party,
    device: Option<DeviceId>,
    event: EventSeq,
    at: UnixMillis,
    tray: Option<Arc<Tray>>,
}

/// Nobody acknowledges what there is not.
const WRITE: &str = "INSERT INTO event_acks (party_id, device_id, event_id, updated_at)
    SELECT $1, $2, $3, $4 FROM recipients WHERE party_id = $1 AND last_event_id >= $3
    ON CONFLICT (party_id, device_id) DO UPDATE
    SET event_id = excluded.event_id, updated_at = excluded.updated_at
    WHERE event_acks.event_id < excluded.event_id";
/// The same for an event that there is, although the tables may not know of it.
const WRITE_KNOWN: &str = "INSERT INTO event_acks (party_id, device_id, event_id, updated_at)
    VALUES ($1, $2, $3, $4) ON CONFLICT (party_id, device_id) DO UPDATE
    SET event_id = excluded.event_id, updated_at = excluded.updated_at
    WHERE event_acks.event_id < excluded.event_id";
const READ: &str = "SELECT event_id FROM event_acks WHERE party_id = $1 AND device_id = $2";
const LATEST: &str = "SELECT last_event_id FROM recipients WHERE party_id = $1";

impl WriteAck {
    pub(crate) fn new(
        relay: &Relay,
        party: Party,
        device: Option<DeviceId>,
        event: EventSeq,
    ) -> Self {
        Self { party, device, event, at: relay.now(), tray: relay.tray.clone() }
    }
}

impl Work for WriteAck {
    type Output = ();
    type Error = StoreError;

    fn looks(&self) -> bool {
        false
    }

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let (device, event) = (device_column(self.device), count(self.event.0));
        let last = self.tray.as_ref().and_then(|tray| tray.numbered(self.party));
        let write = if last.is_some_and(|last| last >= event) { WRITE_KNOWN } else { WRITE };
        let row = [self.party.into(), device.into(), event.into(), millis(self.at).into()];
        tx.execute(write, &row).await
    }
}

/// The number of the last event, and of the last one that this device has acknowledged.
pub(super) struct ReadPosition {
    pub(super) party: Party,
    pub(super) device: Option<DeviceId>,
}

impl Work for ReadPosition {
    type Output = (EventSeq, EventSeq);
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(EventSeq, EventSeq), StoreError> {
        let mut number = EventSeq::default();
        if let Some(mut row) = tx.optional(LATEST, &[self.party.into()]).await? {
            number = EventSeq(row.get(0)?);
        }
        let device = device_column(self.device);
        let acknowledged = match tx.optional(READ, &[self.party.into(), device.into()]).await? {
            Some(mut row) => EventSeq(row.get(0)?),
            None => EventSeq::default(),
        };
        Ok((number, acknowledged))
    }
}

/// The empty device stands for a client that has none.
fn device_column(device: Option<DeviceId>) -> String {
    device.map(|device| device.to_string()).unwrap_or_default()
}
