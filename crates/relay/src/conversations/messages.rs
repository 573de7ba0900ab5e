//! Messages, as the tables hold them.

use assent_ids::{ConversationSeq, Principal, UnixMillis};
use assent_protocol::{
    a2h::{Message, MessageAck, RelayEventType, SenderType},
    wire::Object,
};
use assent_store::{Row, StoreError, Tx};

use crate::{
    delivery::events::{Content, count},
    storage::{
        stored_id::stored as id,
        times::{millis, timestamp},
    },
};

/// The messages of a conversation after one, in the order of the columns that [`stored`] reads.
pub(crate) const LIST_AFTER: &str = "SELECT message_id, conversation_id, seq, sender_id,
        client_message_id, msg_subtype, content_type, envelope, created_at
    FROM messages WHERE conversation_id = $1 AND seq > $2 ORDER BY seq LIMIT $3";

/// How large they are.
pub(crate) const SIZES_AFTER: &str = "SELECT CAST(octet_length(envelope) AS BIGINT) FROM messages
    WHERE conversation_id = $1 AND seq > $2 ORDER BY seq LIMIT $3";

const INSERT: &str = "INSERT INTO messages (conversation_id, seq, message_id, sender_id,
        client_message_id, msg_subtype, content_type, envelope, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// Stores a message.
pub(crate) async fn insert(
    tx: &mut Tx,
    message: &Message,
    sender: Principal,
    now: UnixMillis,
) -> Result<(), StoreError> {
    let row = [
        message.conversation_id.to_string().into(),
        count(message.conversation_seq.0).into(),
        message.message_id.to_string().into(),
        sender.to_string().into(),
        message.client_message_id.as_str().into(),
        message.msg_subtype.as_str().into(),
        message.content_type.as_str().into(),
        (&message.envelope).into(),
        millis(now).into(),
    ];
    tx.execute(INSERT, &row).await
}

/// The event for the devices of the sender: the number of the message.
pub(crate) fn acknowledged(message: &Message) -> Result<Content, StoreError> {
    let ack = MessageAck {
        client_message_id: message.client_message_id.clone(),
        message_id: message.message_id,
        conversation_id: message.conversation_id,
        conversation_seq: message.conversation_seq,
        extra: Object::new(),
    };
    Content::notice(RelayEventType::MessageAck, &ack)
}

/// The message whose columns begin at `first`.
pub(crate) fn stored(row: &Row, first: usize) -> Result<Message, StoreError> {
    let mut next = first;
    let mut column = || {
        next += 1;
        next - 1
    };
    let text = |row: &Row, at| row.get::<String>(at);
    let message_id = id(&text(row, column())?)?;
    let conversation_id = id(&text(row, column())?)?;
    let conversation_seq = ConversationSeq(row.get(column())?);
    let sender: Principal = id(&text(row, column())?)?;
    Ok(Message {
        message_id,
        conversation_id,
        conversation_seq,
        sender_type: SenderType::from(sender).into(),
        sender_id: Some(sender),
        client_message_id: id(&text(row, column())?)?,
        msg_subtype: assent_protocol::wire::Open::read(&text(row, column())?),
        content_type: assent_protocol::wire::Open::read(&text(row, column())?),
        envelope: text(row, column())?,
        created_at: timestamp(row.get(column())?),
        extra: Object::new(),
    })
}
