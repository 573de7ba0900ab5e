//! What was received and waits to be handled.

use assent_ids::{ClientMessageId, ConversationId, EventSeq, MessageId, Principal, UnixMillis};
use assent_protocol::a2h::{MsgSubtype, RelayEvent};
use assent_sealing::Endpoint;
use assent_store::Tx;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::{MailboxError, sealed_row::RowCipher};

const INSERT: &str = "INSERT INTO mailbox_inbox (event_id, entry, content) VALUES ($1, $2, $3)";
const FIRST: &str = "SELECT event_id, entry, content FROM mailbox_inbox WHERE event_id > $1
    ORDER BY event_id LIMIT 1";
const DELETE: &str = "DELETE FROM mailbox_inbox WHERE event_id = $1";

/// An event that was received. It is handed out until it is removed.
#[derive(Clone, Debug)]
pub struct InboxEntry {
    /// The number of the event.
    pub event_id: EventSeq,
    /// What was received.
    pub received: Received,
}

/// What was received.
#[derive(Clone, Debug)]
pub enum Received {
    /// A message that was opened.
    Message(Opened),
    /// A message that was refused.
    Refused(Refused),
    /// Any other event of the relay.
    Event(Box<RelayEvent>),
}

/// A message that was opened.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The message as the relay names it.
    pub message_id: MessageId,
    /// The conversation that it was sent to.
    pub conversation: ConversationId,
    /// The device or agent that sealed it.
    pub sender: Endpoint,
    /// The sender's id for the message.
    pub client_message_id: ClientMessageId,
    /// What the message is for.
    pub subtype: MsgSubtype,
    /// When it was sealed, by the sender's clock.
    pub sent_at: UnixMillis,
    /// The content, which is JSON if the sender follows the format.
    pub content: Zeroizing<Vec<u8>>,
}

/// A message that was refused. It changed nothing and gets no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The message as the relay names it.
    pub message_id: MessageId,
    /// The conversation that the relay announced.
    pub conversation: ConversationId,
    /// The sender that the relay announced, if it names one.
    pub sender: Option<Principal>,
    /// The code of the reason.
    pub reason: String,
}

/// An entry as it is stored; the content of a message is in a column of its own.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredEntry {
    Message {
        message_id: MessageId,
        conversation: ConversationId,
        sender: Endpoint,
        client_message_id: ClientMessageId,
        subtype: MsgSubtype,
        sent_at: u64,
    },
    Refused(Refused),
    Event(Box<RelayEvent>),
}

fn entry_place(event_id: i64) -> String {
    format!("mailbox_inbox/{event_id}/entry")
}

fn content_place(event_id: i64) -> String {
    format!("mailbox_inbox/{event_id}/content")
}

fn row_id(event_id: EventSeq) -> Result<i64, MailboxError> {
    i64::try_from(event_id.0).map_err(|_| MailboxError::Damaged("event number"))
}

pub(crate) async fn insert(
    tx: &mut Tx,
    cipher: &RowCipher,
    entry: &InboxEntry,
) -> Result<(), MailboxError> {
    let id = row_id(entry.event_id)?;
    let (stored, content) = match &entry.received {
        Received::Message(opened) => (
            StoredEntry::Message {
                message_id: opened.message_id,
                conversation: opened.conversation,
                sender: opened.sender,
                client_message_id: opened.client_message_id.clone(),
                subtype: opened.subtype,
                sent_at: opened.sent_at.get(),
            },
            Some(cipher.seal(&content_place(id), &opened.content)),
        ),
        Received::Refused(refused) => (StoredEntry::Refused(refused.clone()), None),
        Received::Event(event) => (StoredEntry::Event(event.clone()), None),
    };
    let stored = cipher.seal_json(&entry_place(id), &stored)?;
    Ok(tx.execute(INSERT, &[id.into(), stored.into(), content.into()]).await?)
}

/// The first entry behind `after`.
pub(crate) async fn next(
    tx: &mut Tx,
    cipher: &RowCipher,
    after: EventSeq,
) -> Result<Option<InboxEntry>, MailboxError> {
    let Some(row) = tx.optional(FIRST, &[row_id(after)?.into()]).await? else { return Ok(None) };
    let id: i64 = row.get(0)?;
    let content: Option<Vec<u8>> = row.get(2)?;
    let content = content.map(|sealed| cipher.unseal(&content_place(id), &sealed)).transpose()?;
    let stored: StoredEntry = cipher.unseal_json(&entry_place(id), &row.get::<Vec<u8>>(1)?)?;
    let received = match stored {
        StoredEntry::Message {
            message_id,
            conversation,
            sender,
            client_message_id,
            subtype,
            sent_at,
        } => Received::Message(Opened {
            message_id,
            conversation,
            sender,
            client_message_id,
            subtype,
            sent_at: UnixMillis::new(sent_at),
            content: content.ok_or(MailboxError::Damaged("content"))?,
        }),
        StoredEntry::Refused(refused) => Received::Refused(refused),
        StoredEntry::Event(event) => Received::Event(event),
    };
    Ok(Some(InboxEntry { event_id: EventSeq(row.get(0)?), received }))
}

pub(crate) async fn remove(tx: &mut Tx, event_id: EventSeq) -> Result<(), MailboxError> {
    Ok(tx.execute(DELETE, &[row_id(event_id)?.into()]).await?)
}
