//! Messages, as the tables hold them.

use assent_ids::ConversationSeq;
use assent_protocol::{a2h::Message, wire::Object};
use assent_store::{Row, StoreError};

use crate::{
    party::{Party, stored as id},
    times::timestamp,
};

/// The messages of a conversation after one, in the order of the columns that [`stored`] reads.
pub(crate) const LIST_AFTER: &str = "SELECT message_id, conversation_id, seq, sender_id,
        client_message_id, msg_subtype, content_type, envelope, created_at
    FROM messages WHERE conversation_id = $1 AND seq > $2 ORDER BY seq LIMIT $3";

/// How large they are.
pub(crate) const SIZES_AFTER: &str = "SELECT CAST(octet_length(envelope) AS BIGINT) FROM messages
    WHERE conversation_id = $1 AND seq > $2 ORDER BY seq LIMIT $3";

/// The message whose columns begin at `first`.
pub(crate) fn stored(row: &mut Row, first: usize) -> Result<Message, StoreError> {
    let mut next = first;
    let mut column = || {
        next += 1;
        next - 1
    };
    let text = |row: &mut Row, at| row.get::<String>(at);
    let message_id = id(&text(row, column())?)?;
    let conversation_id = id(&text(row, column())?)?;
    let conversation_seq = ConversationSeq(row.get(column())?);
    let (sender_type, sender_id) = Party::stored(&text(row, column())?)?.sender();
    Ok(Message {
        message_id,
        conversation_id,
        conversation_seq,
        sender_type: sender_type.into(),
        sender_id: Some(sender_id),
        client_message_id: id(&text(row, column())?)?,
        msg_subtype: assent_protocol::wire::Open::read(&text(row, column())?),
        content_type: assent_protocol::wire::Open::read(&text(row, column())?),
        envelope: text(row, column())?,
        created_at: timestamp(row.get(column())?),
        extra: Object::new(),
    })
}
