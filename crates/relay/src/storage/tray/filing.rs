//! From the tray into the tables.

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

const WRITE_DOWN: &str = "INSERT INTO unfiled (accepted) VALUES ($1)";
const RECALL: &str = "SELECT batch, accepted FROM unfiled ORDER BY batch /* whole table */";
const STRIKE_OFF: &str = "DELETE FROM unfiled /* whole table */";
const LAST_SEQ: &str = "UPDATE conversations SET last_seq = $2, active_at = $3
    WHERE conversation_id = $1";
const LAST_EVENT: &str = "INSERT INTO recipients
        (party_id, last_event_id, updated_at, messages_sent, tool_calls, messages_received)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (party_id) DO UPDATE
    SET last_event_id = excluded.last_event_id, updated_at = excluded.updated_at,
        messages_sent = recipients.messages_sent + excluded.messages_sent,
        tool_calls = recipients.tool_calls + excluded.tool_calls,
        messages_received = recipients.messages_received + excluded.messages_received";

/// Makes what a transaction has accepted durable.
pub(super) async fn write_down(tx: &mut Tx, accepted: String) -> Result<(), StoreError> {
    tx.execute(WRITE_DOWN, &[accepted.into()]).await
}

/// Everything that was written down and is not filed, in the order in which it came.
pub(super) async fn recall(tx: &mut Tx) -> Result<Vec<Arc<Accepted>>, StoreError> {
    let mut all = Vec::new();
    for row in tx.all(RECALL, &[]).await? {
        let batch: i64 = row.get(0)?;
        let why = |why| StoreError::Refused(format!("batch {batch} of `unfiled`: {why}"));
        all.extend(accepted::read(&row.get::<String>(1)?).map_err(why)?);
    }
    Ok(all)
}

/// Everything that was written down is filed.
pub(super) async fn strike_off(tx: &mut Tx) -> Result<(), StoreError> {
    tx.execute(STRIKE_OFF, &[]).await
}

/// Puts messages and what they tell into the tables, each table in its own order.
pub(super) async fn file(tx: &mut Tx, accepted: &[Arc<Accepted>]) -> Result<(), StoreError> {
    file_messages(tx, accepted).await?;
    file_events(tx, accepted).await
}

async fn file_messages(tx: &mut Tx, accepted: &[Arc<Accepted>]) -> Result<(), StoreError> {
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

async fn file_events(tx: &mut Tx, accepted: &[Arc<Accepted>]) -> Result<(), StoreError> {
    let mut by_party = BTreeMap::<Principal, Vec<(i64, &Accepted)>>::new();
    for accepted in accepted {
        for told in &accepted.told {
            by_party.entry(told.party).or_default().push((told.event, accepted));
        }
    }
    for (party, told) in by_party {
        let mut counted = Counted::default();
        for (event, accepted) in &told {
            let content = accepted.content(party);
            events::insert(tx, &party.to_string(), *event, content, millis(accepted.at)).await?;
            counted.add(accepted.counted(party));
        }
        let Some((event, accepted)) = told.last() else { continue };
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
