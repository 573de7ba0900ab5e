//! Stores the buffer, and writes its messages to their tables.

use assent_ids::Principal;
use std::{collections::BTreeMap, sync::Arc};

use assent_store::{StoreError, Tx};

use super::{Accepted, accepted};
use crate::{
    agents::traffic::Counted,
    conversations::messages,
    delivery::events,
    storage::times::{millis, tick},
};

const STORE: &str = "INSERT INTO unfiled (accepted) VALUES ($1)";
const LOAD: &str = "SELECT batch, accepted FROM unfiled ORDER BY batch /* whole table */";
const DELETE_STORED: &str = "DELETE FROM unfiled /* whole table */";
const LAST_SEQ: &str = "UPDATE conversations SET last_seq = $2, active_at = $3
    WHERE conversation_id = $1";
const LAST_EVENT: &str = "INSERT INTO recipients
        (party_id, last_event_id, updated_at, messages_sent, tool_calls, messages_received)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (party_id) DO UPDATE
    SET last_event_id = excluded.last_event_id, updated_at = excluded.updated_at,
        messages_sent = recipients.messages_sent + excluded.messages_sent,
        tool_calls = recipients.tool_calls + excluded.tool_calls,
        messages_received = recipients.messages_received + excluded.messages_received";

/// Stores the messages of a transaction in one row.
pub(super) async fn store(tx: &mut Tx, accepted: String) -> Result<(), StoreError> {
    tx.execute(STORE, &[accepted.into()]).await
}

/// The stored messages, in their order.
pub(super) async fn load(tx: &mut Tx) -> Result<Vec<Arc<Accepted>>, StoreError> {
    let mut all = Vec::new();
    for row in tx.all(LOAD, &[]).await? {
        let batch: i64 = row.get(0)?;
        let why = |why| StoreError::Refused(format!("batch {batch} of `unfiled`: {why}"));
        all.extend(accepted::read(&row.get::<String>(1)?).map_err(why)?);
    }
    Ok(all)
}

/// Deletes the stored messages, after they were written to their tables.
pub(super) async fn delete_stored(tx: &mut Tx) -> Result<(), StoreError> {
    tx.execute(DELETE_STORED, &[]).await
}

/// Writes messages and their events to the tables, each table in its own order.
pub(super) async fn write(tx: &mut Tx, accepted: &[Arc<Accepted>]) -> Result<(), StoreError> {
    write_messages(tx, accepted).await?;
    write_events(tx, accepted).await
}

async fn write_messages(tx: &mut Tx, accepted: &[Arc<Accepted>]) -> Result<(), StoreError> {
    let place = |accepted: &&Arc<Accepted>| {
        (accepted.message.conversation_id, accepted.message.conversation_seq)
    };
    let mut sorted: Vec<_> = accepted.iter().collect();
    sorted.sort_unstable_by_key(place);
    let mut last = BTreeMap::new();
    for accepted in sorted {
        messages::insert(tx, &accepted.message, accepted.sender, accepted.at).await?;
        last.insert(accepted.message.conversation_id, accepted);
    }
    for (conversation, accepted) in last {
        let seq = events::count(accepted.message.conversation_seq.0);
        let row = [conversation.to_string().into(), seq.into(), millis(accepted.at).into()];
        tx.execute(LAST_SEQ, &row).await?;
    }
    Ok(())
}

async fn write_events(tx: &mut Tx, accepted: &[Arc<Accepted>]) -> Result<(), StoreError> {
    let mut by_party = BTreeMap::<Principal, Vec<(i64, &Accepted)>>::new();
    for accepted in accepted {
        for delivered in &accepted.delivered {
            by_party.entry(delivered.party).or_default().push((delivered.event, accepted));
        }
    }
    for (party, delivered) in by_party {
        let mut counted = Counted::default();
        for (event, accepted) in &delivered {
            let content = accepted.content(party);
            events::insert(tx, &party.to_string(), *event, content, millis(accepted.at)).await?;
            counted.add(accepted.counted(party));
        }
        let Some((event, accepted)) = delivered.last() else { continue };
        let Counted { sent, tool_calls, received } = counted;
        let row = [
            party.to_string().into(),
            (*event).into(),
            tick(accepted.at).into(),
            sent.into(),
            tool_calls.into(),
            received.into(),
        ];
        tx.execute(LAST_EVENT, &row).await?;
    }
    Ok(())
}
