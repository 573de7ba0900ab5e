//! How far devices have come.

use assent_ids::{DeviceId, EventSeq};
use assent_store::{StoreError, Tx, Work};

use crate::{events::count, party::Party};

/// Everything up to `event` was handled by this device.
pub(crate) struct WriteAck {
    pub(crate) party: Party,
    pub(crate) device: Option<DeviceId>,
    pub(crate) event: EventSeq,
}

const WRITE: &str = "INSERT INTO event_acks (party_id, device_id, event_id, updated_at)
    SELECT $1, $2, $3, updated_at FROM recipients WHERE party_id = $1 AND last_event_id >= $3
    ON CONFLICT (party_id, device_id) DO UPDATE SET event_id = excluded.event_id
    WHERE event_acks.event_id < excluded.event_id";
const READ: &str = "SELECT event_id FROM event_acks WHERE party_id = $1 AND device_id = $2";
const LATEST: &str = "SELECT last_event_id FROM recipients WHERE party_id = $1";

impl Work for WriteAck {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let device = device_column(self.device);
        tx.execute(WRITE, &[self.party.into(), device.into(), count(self.event.0).into()]).await?;
        Ok(())
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
