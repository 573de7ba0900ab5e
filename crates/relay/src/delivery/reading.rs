//! Reading events.

use assent_ids::{EventSeq, Principal};
use assent_protocol::a2h::{EventBody, RelayEvent};
use assent_relay_api::{operations::delivery::EventPage, value::Limit};
use assent_store::{StoreError, Tx, Work};

use crate::{
    delivery::events::{self, Batch, Portion, Stored},
    storage::pages::PAGE_BYTES,
};

/// The first events of `party` after `after`.
pub(crate) struct ReadEvents {
    pub(crate) party: Principal,
    pub(crate) after: EventSeq,
    pub(crate) portion: Portion,
}

impl Work for ReadEvents {
    type Output = Batch;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Batch, StoreError> {
        events::after(tx, self.party, self.after, self.portion).await
    }
}

/// The same events as an answer lists them.
pub(crate) struct ReadPage(pub(crate) ReadEvents);

impl Work for ReadPage {
    type Output = EventPage;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<EventPage, StoreError> {
        let batch = self.0.run(tx).await?;
        let first_event_id = events::first(tx, self.0.party).await?;
        // The number of the last one goes on where this ends.
        let last = batch.events.last().map(|event| event.event_id.to_string());
        let data = batch.events.iter().map(event).collect::<Result<_, _>>()?;
        Ok(EventPage { data, next_cursor: last.filter(|_| batch.has_more), first_event_id })
    }
}

/// What an answer lists.
pub(crate) fn portion(limit: Limit) -> Portion {
    Portion { events: limit.get().try_into().unwrap_or(1), bytes: PAGE_BYTES }
}

fn event(stored: &Stored) -> Result<RelayEvent, StoreError> {
    let body = serde_json::from_str(&stored.data)
        .and_then(|data| EventBody::read(&stored.kind, data))
        .map_err(|error| StoreError::Refused(format!("an event cannot be read: {error}")))?;
    Ok(RelayEvent { event_id: stored.event_id, body })
}
