//! Where messages are stored: in their tables, or on SQLite in a write-behind buffer first.

use std::{path::Path, sync::Arc, time::Duration};

use assent_ids::{ConversationId, ConversationSeq, Minter, Principal, UnixMillis};
use assent_protocol::a2h::{Message, MsgSubtype};
use assent_relay_api::operations::conversations::{NewMessage, SentMessage};
use assent_store::{Database, Location, OpenError, StoreError, Tx};

use super::messages;
use crate::{
    agents::traffic::Counted,
    conversations::{self, Addressees},
    delivery::{
        events::{self, Content, Recipient},
        outbox::Outbox,
    },
    storage::{
        message_buffer::{Accepted, Delivered, MAX_ENVELOPE, MessageBuffer},
        schema::MIGRATIONS,
        stored_id::stored,
        times::millis,
    },
};

const EARLIER: &str = "SELECT message_id, seq, msg_subtype, content_type, envelope FROM messages
    WHERE conversation_id = $1 AND sender_id = $2 AND client_message_id = $3";
const COUNT: &str = "UPDATE conversations SET last_seq = last_seq + 1, active_at = $2
    WHERE conversation_id = $1";

/// How long messages stay in the buffer when nothing is written.
const MAX_DELAY: Duration = Duration::from_millis(100);

/// Stores messages and the events about them. What is in the buffer reads the same as what is in the tables.
#[derive(Clone)]
pub(crate) struct MessageStore(Option<Arc<MessageBuffer>>);

/// A message that was stored before under the same `client_message_id`.
pub(crate) struct Earlier {
    pub(crate) sent: SentMessage,
    is_same: bool,
}

impl Earlier {
    /// Returns `true` if the earlier message has the same content.
    pub(crate) const fn is_same(&self) -> bool {
        self.is_same
    }

    fn new(sent: SentMessage, [subtype, kind, envelope]: [&str; 3], message: &NewMessage) -> Self {
        let is_same = subtype == message.msg_subtype.as_str()
            && kind == message.content_type.as_str()
            && envelope == message.envelope.as_str();
        Self { sent, is_same }
    }
}

impl MessageStore {
    /// Opens a database, with a buffer if it can have one.
    pub(crate) async fn open(location: &Location) -> Result<(Database, Self), OpenError> {
        match location {
            Location::Sqlite(path) => Self::open_buffered(path, MAX_DELAY),
            Location::Postgres(_) => Self::open_direct(location).await,
        }
    }

    /// Opens a file with a buffer that keeps messages for at most `max_delay` without further writes.
    pub(crate) fn open_buffered(
        path: &Path,
        max_delay: Duration,
    ) -> Result<(Database, Self), OpenError> {
        let buffer = Arc::new(MessageBuffer::new(max_delay));
        let write_behind = Arc::<MessageBuffer>::clone(&buffer);
        let database = Database::open_with_write_behind(path, MIGRATIONS, write_behind)?;
        Ok((database, Self(Some(buffer))))
    }

    /// Opens a database without a buffer.
    pub(crate) async fn open_direct(location: &Location) -> Result<(Database, Self), OpenError> {
        Ok((Database::open(location, MIGRATIONS).await?, Self(None)))
    }

    /// The buffer, if there is one.
    #[cfg(test)]
    pub(crate) const fn buffer(&self) -> Option<&Arc<MessageBuffer>> {
        self.0.as_ref()
    }

    /// Returns `true` if the buffer has to be flushed before a message with this envelope is stored.
    pub(crate) fn needs_flush(&self, envelope: &str) -> bool {
        self.0.is_none() || envelope.len() > MAX_ENVELOPE
    }

    /// The number of the last event of `party`, if the buffer has it.
    pub(crate) fn last_buffered_event(&self, party: Principal) -> Option<i64> {
        self.0.as_ref().and_then(|buffer| buffer.numbered(party))
    }

    /// The addressees of a message, and the number of the message before.
    pub(crate) async fn addressees(
        &self,
        tx: &mut Tx,
        conversation: ConversationId,
    ) -> Result<(Arc<Addressees>, i64), StoreError> {
        if let Some(buffer) = &self.0 {
            return buffer.addressees(tx, conversation).await;
        }
        let found = conversations::addressees(tx, conversation).await?;
        let last_seq = found.last_seq;
        Ok((Arc::new(found), last_seq))
    }

    /// The message that `sender` sent before under the `client_message_id` of `message`.
    pub(crate) async fn find(
        &self,
        tx: &mut Tx,
        conversation: ConversationId,
        sender: Principal,
        message: &NewMessage,
    ) -> Result<Option<Earlier>, StoreError> {
        let client_id = &message.client_message_id;
        let buffered =
            self.0.as_ref().and_then(|buffer| buffer.find(conversation, sender, client_id));
        if let Some(earlier) = buffered {
            let earlier = &earlier.message;
            let sent = SentMessage {
                message_id: earlier.message_id,
                conversation_seq: earlier.conversation_seq,
            };
            let content =
                [earlier.msg_subtype.as_str(), earlier.content_type.as_str(), &earlier.envelope];
            return Ok(Some(Earlier::new(sent, content, message)));
        }
        let key =
            [conversation.to_string().into(), sender.to_string().into(), client_id.as_str().into()];
        let Some(row) = tx.optional(EARLIER, &key).await? else { return Ok(None) };
        let sent = SentMessage {
            message_id: stored(&row.get::<String>(0)?)?,
            conversation_seq: ConversationSeq(row.get(1)?),
        };
        let content = [row.get::<String>(2)?, row.get(3)?, row.get(4)?];
        Ok(Some(Earlier::new(sent, content.each_ref().map(String::as_str), message)))
    }

    /// Stores a message, and an event for every recipient. The last step of a unit of work.
    pub(crate) async fn store(
        &self,
        tx: &mut Tx,
        minter: &Minter,
        (message, sender, at): (Message, Principal, UnixMillis),
        addressees: &Addressees,
    ) -> Result<Outbox, StoreError> {
        let (new, ack) = (Content::message(&message)?, messages::acknowledged(&message)?);
        let mut outbox = Outbox::default();
        let recipients = recipients(addressees, sender, &message);
        let Some(buffer) = &self.0 else {
            let conversation = message.conversation_id.to_string();
            tx.execute(COUNT, &[conversation.into(), millis(at).into()]).await?;
            messages::insert(tx, &message, sender, at).await?;
            for recipient in recipients {
                let content = if recipient.party == sender { &ack } else { &new };
                events::append_to(tx, minter, recipient, content, &mut outbox).await?;
            }
            return Ok(outbox);
        };
        let mut delivered = Vec::with_capacity(addressees.members.len());
        for recipient in recipients {
            let party = recipient.party;
            let event = buffer.last_event(tx, party).await? + 1;
            let content = if party == sender { &ack } else { &new };
            events::tell(tx, minter, recipient, (event, content), &mut outbox).await?;
            delivered.push(Delivered { party, event });
        }
        buffer.accept(Accepted { message, sender, at, new, ack, delivered });
        Ok(outbox)
    }
}

/// The other members get the message; the sender's devices get its number.
fn recipients(
    addressees: &Addressees,
    sender: Principal,
    message: &Message,
) -> impl Iterator<Item = Recipient> {
    let subtype = message.msg_subtype.known().unwrap_or(MsgSubtype::Text);
    addressees.members.iter().map(move |member| Recipient {
        party: *member,
        is_called: addressees.called.contains(member),
        counted: Counted::message(*member, sender, subtype),
    })
}
