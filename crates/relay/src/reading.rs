//! Reading events.

use assent_ids::EventSeq;
use assent_protocol::a2h::{EventBody, Page, RelayEvent};
use assent_store::{StoreError, Tx, Work};

use crate::{
    events::{self, Stored},
    party::Party,
};

/// The first `limit` events of `party` after `after`.
pub(crate) struct ReadEvents {
    pub(crate) party: Party,
    pub(crate) after: EventSeq,
    pub(crate) limit: u32,
}

impl Work for ReadEvents {
    type Output = Vec<Stored>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Vec<Stored>, StoreError> {
        events::after(tx, self.party, self.after, self.limit).await
    }
}

/// Events as answers list them. The number of the last one goes on where this ends.
pub(crate) fn page(events: &[Stored], limit: u32) -> Result<Page<RelayEvent>, StoreError> {
    let is_full = events.len() >= usize::try_from(limit).unwrap_or(usize::MAX);
    let last = events.last().map(|event| event.event_id.to_string());
    let data = events.iter().map(event).collect::<Result<_, _>>()?;
    Ok(Page { data, next_cursor: last.filter(|_| is_full) })
}

fn event(stored: &Stored) -> Result<RelayEvent, StoreError> {
    let body = serde_json::from_str(&stored.data)
        .and_then(|data| EventBody::read(&stored.kind, data))
        .map_err(|error| StoreError::Refused(format!("an event cannot be read: {error}")))?;
    Ok(RelayEvent { event_id: stored.event_id, body })
}
