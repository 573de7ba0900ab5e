//! Events: numbered per recipient, kept until they are acknowledged, pushed as soon as they are durable.

use std::{collections::BTreeSet, sync::Arc};

use assent_ids::{ConversationId, ConversationSeq, DeliveryId, EventSeq, Minter, Principal};
use assent_protocol::a2h::{Message, RelayEventType};
use assent_store::{Row, StoreError, Tx, Value};
use assent_websocket::Frame;
use serde::Serialize;

use crate::{
    agents::traffic::Counted,
    delivery::outbox::{Outbox, Sent},
    storage::{
        pages,
        times::{millis, tick},
    },
    webhooks,
};

/// What an event tells, before it has a number.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    kind: RelayEventType,
    data: Arc<str>,
    /// A message is not copied into the event.
    message: Option<(ConversationId, ConversationSeq)>,
}

/// What a message says besides its envelope takes about so much.
const MESSAGE_HEAD: usize = 512;

/// Who gets an event, and where his number stands. Then it is read: SQLite would make a table for what a change
/// returns, which takes longer than the change.
const COUNT: &str = "INSERT INTO recipients
        (party_id, last_event_id, updated_at, messages_sent, tool_calls, messages_received)
    VALUES ($1, 1, $2, $3, $4, $5) ON CONFLICT (party_id) DO UPDATE
    SET last_event_id = recipients.last_event_id + 1, updated_at = excluded.updated_at,
        messages_sent = recipients.messages_sent + excluded.messages_sent,
        tool_calls = recipients.tool_calls + excluded.tool_calls,
        messages_received = recipients.messages_received + excluded.messages_received";
const NUMBER: &str = "SELECT last_event_id FROM recipients WHERE party_id = $1";
const FIRST: &str = "SELECT min(event_id) FROM events WHERE party_id = $1";
const INSERT: &str = "INSERT INTO events
    (party_id, event_id, type, data, conversation_id, seq, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
/// Agents that are called get a delivery beside the event.
const DELIVER: &str = "INSERT INTO webhook_deliveries
    (delivery_id, agent_id, event_id, type, status, next_attempt_at, created_at)
    VALUES ($1, $2, $3, $4, 'pending', $5, $5)";
const IS_CALLED: &str = "SELECT count(*) FROM agents
    WHERE agent_id = $1 AND connection_mode = 'webhook' AND deleted_at IS NULL";
/// What counts of their sizes: only messages are large.
const SIZES: &str = "SELECT CAST(coalesce(octet_length(m.envelope), 0) AS BIGINT) FROM events e
    LEFT JOIN messages m ON m.conversation_id = e.conversation_id AND m.seq = e.seq
    WHERE e.party_id = $1 AND e.event_id > $2 ORDER BY e.event_id LIMIT $3";
const AFTER: &str = "SELECT e.event_id, e.type, e.data, m.message_id, m.conversation_id, m.seq,
        m.sender_id, m.client_message_id, m.msg_subtype, m.content_type, m.envelope, m.created_at,
        e.created_at
    FROM events e
    LEFT JOIN messages m ON m.conversation_id = e.conversation_id AND m.seq = e.seq
    WHERE e.party_id = $1 AND e.event_id > $2 ORDER BY e.event_id LIMIT $3";

impl Content {
    /// Something other than a message.
    pub(crate) fn notice(kind: RelayEventType, data: &impl Serialize) -> Result<Self, StoreError> {
        Ok(Self { kind, data: json(data)?, message: None })
    }

    /// The data of the event, as JSON.
    pub(crate) fn data(&self) -> &Arc<str> {
        &self.data
    }

    /// A new message.
    pub(crate) fn message(message: &Message) -> Result<Self, StoreError> {
        let place = (message.conversation_id, message.conversation_seq);
        let room = message.envelope.len().saturating_add(MESSAGE_HEAD);
        let data = json_within(room, message)?;
        Ok(Self { kind: RelayEventType::MessageNew, data, message: Some(place) })
    }
}

fn json(data: &impl Serialize) -> Result<Arc<str>, StoreError> {
    json_within(0, data)
}

/// The same in a text that need not grow if `room` is enough.
fn json_within(room: usize, data: &impl Serialize) -> Result<Arc<str>, StoreError> {
    let mut text = Vec::with_capacity(room);
    let refused = |error: &dyn std::fmt::Display| StoreError::Refused(error.to_string());
    serde_json::to_writer(&mut text, data).map_err(|error| refused(&error))?;
    String::from_utf8(text).map(Into::into).map_err(|error| refused(&error))
}

/// Numbers and stores `content` for each of `parties`, in their order, so that two transactions that
/// reach the same people never wait for one another crosswise.
pub(crate) async fn append(
    tx: &mut Tx,
    minter: &Minter,
    parties: &BTreeSet<Principal>,
    content: &Content,
    outbox: &mut Outbox,
) -> Result<(), StoreError> {
    for party in parties {
        append_one(tx, minter, *party, content, outbox).await?;
    }
    Ok(())
}

/// The same for a single recipient.
pub(crate) async fn append_one(
    tx: &mut Tx,
    minter: &Minter,
    party: Principal,
    content: &Content,
    outbox: &mut Outbox,
) -> Result<EventSeq, StoreError> {
    let is_called = match party {
        Principal::Agent(_) => tx.scalar::<i64>(IS_CALLED, &[party.to_string().into()]).await? > 0,
        Principal::User(_) => false,
    };
    let recipient = Recipient { party, is_called, counted: Counted::default() };
    append_to(tx, minter, recipient, content, outbox).await
}

/// Who gets an event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipient {
    pub(crate) party: Principal,
    /// Whether a webhook is called about it.
    pub(crate) is_called: bool,
    /// What it adds to the counts.
    pub(crate) counted: Counted,
}

/// The same for a recipient of whom everything is known.
pub(crate) async fn append_to(
    tx: &mut Tx,
    minter: &Minter,
    Recipient { party, is_called, counted }: Recipient,
    content: &Content,
    outbox: &mut Outbox,
) -> Result<EventSeq, StoreError> {
    let now = minter.now();
    let party_id = party.to_string();
    let Counted { sent, tool_calls, received } = counted;
    let changed = tick(now).into();
    let number = [(&party_id).into(), changed, sent.into(), tool_calls.into(), received.into()];
    tx.execute(COUNT, &number).await?;
    let event: i64 = tx.scalar(NUMBER, &[(&party_id).into()]).await?;
    insert(tx, &party_id, event, content, millis(now)).await?;
    tell(tx, minter, Recipient { party, is_called, counted }, (event, content), outbox).await?;
    Ok(EventSeq(u64::try_from(event).unwrap_or_default()))
}

/// The number of the last event of `party`.
pub(crate) async fn last(tx: &mut Tx, party: Principal) -> Result<i64, StoreError> {
    match tx.optional(NUMBER, &[party.to_string().into()]).await? {
        Some(row) => row.get(0),
        None => Ok(0),
    }
}

/// The number of the first event of `party` that is kept, or the one after the last if none is.
pub(crate) async fn first(tx: &mut Tx, party: Principal) -> Result<EventSeq, StoreError> {
    let first = match tx.scalar::<Option<i64>>(FIRST, &[party.to_string().into()]).await? {
        Some(first) => first,
        None => last(tx, party).await?.saturating_add(1),
    };
    Ok(EventSeq(u64::try_from(first).unwrap_or_default()))
}

/// Stores an event under its number.
pub(crate) async fn insert(
    tx: &mut Tx,
    party_id: &str,
    event: i64,
    content: &Content,
    now: i64,
) -> Result<(), StoreError> {
    let (data, conversation, seq) = match content.message {
        None => (Value::from(&*content.data), Value::Null, Value::Null),
        Some((conversation, seq)) => {
            (Value::Null, conversation.to_string().into(), count(seq.0).into())
        }
    };
    let kind = content.kind.as_str();
    let row = [party_id.into(), event.into(), kind.into(), data, conversation, seq, now.into()];
    tx.execute(INSERT, &row).await
}

/// Adds to the outbox what is published about an event once it is durable.
pub(crate) async fn tell(
    tx: &mut Tx,
    minter: &Minter,
    Recipient { party, is_called, .. }: Recipient,
    (event, content): (i64, &Content),
    outbox: &mut Outbox,
) -> Result<(), StoreError> {
    let kind = content.kind.as_str();
    if is_called {
        let (party_id, now) = (party.to_string(), millis(minter.now()));
        let delivery = minter.mint::<DeliveryId>().to_string();
        let row = [delivery.into(), (&party_id).into(), event.into(), kind.into(), now.into()];
        tx.execute(DELIVER, &row).await?;
        webhooks::join(tx, &party_id, now).await?;
        outbox.deliveries = true;
    }
    let event_id = EventSeq(u64::try_from(event).unwrap_or_default());
    outbox.events.push(Sent { party, event_id, kind, data: Arc::clone(&content.data) });
    Ok(())
}

/// An event as it goes to its recipient.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) event_id: EventSeq,
    pub(crate) kind: String,
    pub(crate) data: String,
    /// When it happened.
    pub(crate) created_at: i64,
}

/// Some events of one recipient.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) events: Vec<Stored>,
    /// Whether there may be more.
    pub(crate) has_more: bool,
}

/// How much to read at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portion {
    pub(crate) events: u32,
    pub(crate) bytes: i64,
}

/// The first events of `party` after `after`.
pub(crate) async fn after(
    tx: &mut Tx,
    party: Principal,
    after: EventSeq,
    portion: Portion,
) -> Result<Batch, StoreError> {
    let party_id = party.to_string();
    let first = |limit: i64| [(&party_id).into(), count(after.0).into(), limit.into()];
    let sizes = tx.column(SIZES, &first(portion.events.into())).await?;
    let fitting = pages::fitting(&sizes, portion.bytes);
    let has_more = pages::has_more(sizes.len(), portion.events.into(), fitting);
    let rows = tx.all(AFTER, &first(fitting)).await?;
    let events = rows.iter().map(stored).collect::<Result<_, _>>()?;
    Ok(Batch { events, has_more })
}

fn stored(row: &Row) -> Result<Stored, StoreError> {
    let event_id = EventSeq(row.get(0)?);
    let kind = row.get(1)?;
    let data = match row.get::<Option<String>>(2)? {
        Some(data) => data,
        None => json(&crate::conversations::messages::stored(row, 3)?)?.to_string(),
    };
    Ok(Stored { event_id, kind, data, created_at: row.get(12)? })
}

/// An event on the wire.
pub(crate) fn frame(kind: &str, event_id: EventSeq, data: &str) -> Frame {
    // The kind is one of ours and the data was serialised: nothing needs escaping.
    Frame::text(&format!(r#"{{"type":"{kind}","event_id":{event_id},"data":{data}}}"#))
}

/// A count, as the tables hold it.
pub(crate) fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
