//! How far devices have come.

use assent_ids::{DeviceId, EventSeq, Principal, UnixMillis};
use assent_store::{StoreError, Tx, Work};

use crate::{
    conversations::message_store::MessageStore,
    delivery::events::{self, count},
    state::Relay,
    storage::times::millis,
};

/// Everything up to `event` was handled by this device.
pub(crate) struct WriteAck {
    party: Principal,
    device: Option<DeviceId>,
    event: EventSeq,
    at: UnixMillis,
    messages: MessageStore,
}

/// Ignores acknowledgements of events that do not exist.
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

impl WriteAck {
    pub(crate) fn new(
        relay: &Relay,
        party: Principal,
        device: Option<DeviceId>,
        event: EventSeq,
    ) -> Self {
        Self { party, device, event, at: relay.now(), messages: relay.messages.clone() }
    }
}

impl Work for WriteAck {
    type Output = ();
    type Error = StoreError;

    fn needs_flush(&self) -> bool {
        false
    }

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let (device, event) = (device_column(self.device), count(self.event.0));
        let last = self.messages.last_buffered_event(self.party);
        let write = if last.is_some_and(|last| last >= event) { WRITE_KNOWN } else { WRITE };
        let row =
            [self.party.to_string().into(), device.into(), event.into(), millis(self.at).into()];
        tx.execute(write, &row).await
    }
}

/// The events that are kept for a client, and how far its device has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// The first event that is kept, or the one after the last if none is.
    pub(super) first: EventSeq,
    /// The last event there is.
    pub(super) latest: EventSeq,
    /// The last event that this device has acknowledged, if there is one.
    pub(super) acknowledged: Option<EventSeq>,
}

/// Reads the position of a device.
pub(super) struct ReadPosition {
    pub(super) party: Principal,
    pub(super) device: Option<DeviceId>,
}

impl Work for ReadPosition {
    type Output = Position;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Position, StoreError> {
        let latest = events::last(tx, self.party).await?;
        let device = device_column(self.device);
        let acknowledged =
            match tx.optional(READ, &[self.party.to_string().into(), device.into()]).await? {
                Some(row) => Some(EventSeq(row.get(0)?)),
                None => None,
            };
        Ok(Position {
            first: events::first(tx, self.party).await?,
            latest: EventSeq(u64::try_from(latest).unwrap_or_default()),
            acknowledged,
        })
    }
}

/// The empty device stands for a client that has none.
fn device_column(device: Option<DeviceId>) -> String {
    device.map(|device| device.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use assent_ids::{
        EventSeq, Principal, SystemEntropy, UnixMillis, UserId, deterministic::ManualClock,
    };
    use assent_store::{StoreError, Tx, Work};

    use super::{Position, ReadPosition, WriteAck};
    use crate::{
        state::Relay,
        storage::test_store::{Tell, TestStore},
    };

    struct Seen(Principal);

    impl Work for Seen {
        type Output = Option<i64>;
        type Error = StoreError;

        async fn run(&self, tx: &mut Tx) -> Result<Option<i64>, StoreError> {
            let seen = "SELECT max(updated_at) FROM event_acks WHERE party_id = $1";
            tx.scalar(seen, &[self.0.to_string().into()]).await
        }
    }

    async fn check(postgres: bool) {
        let trial = TestStore::new(postgres).await;
        let clock = Arc::new(ManualClock::starting_at(UnixMillis::new(1_700_000_000_000)));
        let entropy = Arc::new(SystemEntropy::new().unwrap());
        let (settings, store) = (trial.settings.clone(), trial.store.clone());
        let relay = Arc::new(Relay::new(settings, store, clock.clone(), entropy));
        let party = Principal::User(relay.minter.mint::<UserId>());
        let acknowledge = async |event| {
            relay.store.write(WriteAck::new(&relay, party, None, EventSeq(event))).await.unwrap();
            relay.store.read(Seen(party)).await.unwrap()
        };
        for _ in 0..2 {
            let tell = Tell { relay: Arc::clone(&relay), party };
            relay.store.write(tell).await.unwrap();
        }
        assert_eq!(acknowledge(3).await, None, "there is no third event");
        let first = acknowledge(1).await.unwrap();
        clock.advance(Duration::from_secs(60));
        assert_eq!(acknowledge(1).await, Some(first), "nothing new");
        // Time goes on by itself, too, and the clock catches up with it.
        assert!(acknowledge(2).await.unwrap() > first + 50_000);
        let position = relay.store.read(ReadPosition { party, device: None }).await.unwrap();
        let (first, latest, acknowledged) = (EventSeq(1), EventSeq(2), Some(EventSeq(2)));
        assert_eq!(position, Position { first, latest, acknowledged });
    }

    #[tokio::test]
    async fn on_sqlite_an_acknowledgement_updates_the_time_of_last_contact() {
        check(false).await;
    }

    #[tokio::test]
    async fn on_postgres_an_acknowledgement_updates_the_time_of_last_contact() {
        check(true).await;
    }
}
