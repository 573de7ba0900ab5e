//! Messages of both sides of a conversation, as they are stored.

use assent_ids::{ClientMessageId, ConversationId, UnixMillis};
use assent_mailbox::{Mailbox, MailboxError};
use assent_store::{Row, Tx};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::millis;

const INSERT: &str = "INSERT INTO device_messages (conversation_id, at, message_id, message)
    VALUES ($1, $2, $3, $4) ON CONFLICT (conversation_id, message_id) DO NOTHING";
const LIST: &str = "SELECT conversation_id, message_id, message FROM device_messages
    WHERE conversation_id = $1 AND at < $2 ORDER BY at DESC, message_id DESC LIMIT $3";
const FIND: &str = "SELECT conversation_id, message_id, message FROM device_messages
    WHERE conversation_id = $1 AND message_id = $2";
const UPDATE: &str = "UPDATE device_messages SET message = $3
    WHERE conversation_id = $1 AND message_id = $2";

/// A message.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct MessageRecord {
    pub(crate) message_id: String,
    pub(crate) from: Side,
    pub(crate) body: MessageBody,
    #[serde(with = "millis")]
    pub(crate) at: UnixMillis,
    /// Whether the relay did not accept it.
    pub(crate) is_refused: bool,
}

/// A side of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The person.
    Person,
    /// The agent.
    Agent,
}

/// What a message holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MessageBody {
    /// A text.
    Text {
        /// The text.
        text: String,
    },
    /// Something else that an agent has made.
    Artifact {
        /// The artifact.
        artifact: Value,
    },
}

impl MessageBody {
    /// The body of the content of a message; `None` if people are not to see it.
    pub(crate) fn of(content: &Value) -> Option<Self> {
        match content.get("type")?.as_str()? {
            "text" => Some(Self::Text { text: content.get("text")?.as_str()?.to_owned() }),
            "artifact" => Some(Self::Artifact { artifact: content.get("artifact")?.clone() }),
            _ => None,
        }
    }
}

fn place(conversation: &str, id: &str) -> String {
    format!("device_messages/{conversation}/{id}")
}

pub(crate) async fn insert(
    tx: &mut Tx,
    mailbox: &Mailbox,
    conversation: ConversationId,
    message: &MessageRecord,
) -> Result<(), MailboxError> {
    let conversation = conversation.to_string();
    let sealed = seal(mailbox, &conversation, message)?;
    let id = message.message_id.as_str();
    let values = [(&conversation).into(), millis::sql(message.at).into(), id.into(), sealed.into()];
    Ok(tx.execute(INSERT, &values).await?)
}

/// The last messages before a time, newest first.
pub(crate) async fn list(
    tx: &mut Tx,
    mailbox: &Mailbox,
    conversation: ConversationId,
    before: UnixMillis,
    limit: u32,
) -> Result<Vec<MessageRecord>, MailboxError> {
    let values =
        [conversation.to_string().into(), millis::sql(before).into(), i64::from(limit).into()];
    tx.all(LIST, &values).await?.iter().map(|row| read(mailbox, row)).collect()
}

/// Records that the relay will never accept a message.
pub(crate) async fn refuse(
    tx: &mut Tx,
    mailbox: &Mailbox,
    conversation: ConversationId,
    id: &ClientMessageId,
) -> Result<(), MailboxError> {
    let conversation = conversation.to_string();
    let row = tx.optional(FIND, &[(&conversation).into(), id.as_str().into()]).await?;
    let Some(row) = row else { return Ok(()) };
    let message = MessageRecord { is_refused: true, ..read(mailbox, &row)? };
    let sealed = seal(mailbox, &conversation, &message)?;
    Ok(tx.execute(UPDATE, &[conversation.into(), id.as_str().into(), sealed.into()]).await?)
}

fn seal(
    mailbox: &Mailbox,
    conversation: &str,
    message: &MessageRecord,
) -> Result<Vec<u8>, MailboxError> {
    let json = serde_json::to_vec(message).map_err(|_| MailboxError::Damaged("message"))?;
    Ok(mailbox.encrypt(&place(conversation, &message.message_id), &json))
}

fn read(mailbox: &Mailbox, row: &Row) -> Result<MessageRecord, MailboxError> {
    let (conversation, id): (String, String) = (row.get(0)?, row.get(1)?);
    let json = mailbox.decrypt(&place(&conversation, &id), &row.get::<Vec<u8>>(2)?)?;
    serde_json::from_slice(&json).map_err(|_| MailboxError::Damaged("message"))
}
