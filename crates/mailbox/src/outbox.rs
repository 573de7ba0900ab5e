//! Messages that wait to be sealed, or to be acknowledged by the relay.

use assent_ids::{ClientMessageId, ConversationId};
use assent_protocol::{
    a2h::{ContentType, MsgSubtype},
    wire::Word as _,
};
use assent_sealing::Endpoint;
use assent_store::{Row, Tx};
use zeroize::Zeroizing;

use crate::{MailboxError, peers::read_endpoint, sealed_row::RowCipher};

const INSERT: &str = "INSERT INTO mailbox_outbox (position, conversation_id, client_message_id,
    msg_subtype, content_type, recipients, needs_new_session, content)
    VALUES ((SELECT last_position FROM mailbox_identity WHERE only_row = 1), $1, $2, $3, $4, $5, $6, $7)";
const NEXT_POSITION: &str = "UPDATE mailbox_identity SET last_position = last_position + 1
    WHERE only_row = 1";
const SAME_ID: &str = "SELECT content FROM mailbox_outbox
    WHERE conversation_id = $1 AND client_message_id = $2";
const UNSEALED: &str = "SELECT position, conversation_id, client_message_id, msg_subtype,
    content_type, recipients, needs_new_session, content FROM mailbox_outbox
    WHERE envelope IS NULL AND refusal IS NULL AND position > $1 ORDER BY position LIMIT 1";
const SEALED: &str = "SELECT position, conversation_id, client_message_id, msg_subtype,
    content_type, envelope FROM mailbox_outbox
    WHERE envelope IS NOT NULL AND refusal IS NULL AND position > $1 ORDER BY position LIMIT 1";
const REFUSED: &str = "SELECT conversation_id, client_message_id, refusal FROM mailbox_outbox
    WHERE refusal IS NOT NULL AND position > 0 ORDER BY position LIMIT 1";
const REFUSE: &str = "UPDATE mailbox_outbox SET refusal = $2 WHERE position = $1";
const SET_ENVELOPE: &str = "UPDATE mailbox_outbox SET envelope = $2 WHERE position = $1";
const HAS_NEW_SESSION: &str = "UPDATE mailbox_outbox SET needs_new_session = 0
    WHERE recipients = $1 /* whole table */";
const COUNT_OUTGOING: &str = "SELECT count(*) FROM mailbox_outbox
    WHERE conversation_id = $1 AND refusal IS NULL";
const STATE: &str = "SELECT envelope IS NOT NULL, refusal IS NOT NULL FROM mailbox_outbox
    WHERE conversation_id = $1 AND client_message_id = $2";
const DELETE: &str = "DELETE FROM mailbox_outbox
    WHERE conversation_id = $1 AND client_message_id = $2";

/// A message to send.
#[derive(Clone, Debug)]
pub struct OutgoingMessage {
    /// The conversation that it goes to.
    pub conversation: ConversationId,
    /// The sender's id for the message. It is sent under this id until it is acknowledged.
    pub client_message_id: ClientMessageId,
    /// What the message is for.
    pub subtype: MsgSubtype,
    /// What the message holds.
    pub content_type: ContentType,
    /// The devices and agents that can open it.
    pub recipients: Vec<Endpoint>,
    /// The content.
    pub content: Zeroizing<Vec<u8>>,
}

/// A message that is sealed and not acknowledged yet.
#[derive(Clone, Debug)]
pub struct SealedMessage {
    /// Where it stands in the outbox.
    pub position: u64,
    /// The conversation that it goes to.
    pub conversation: ConversationId,
    /// The sender's id for the message.
    pub client_message_id: ClientMessageId,
    /// What the message is for.
    pub subtype: MsgSubtype,
    /// What the message holds.
    pub content_type: ContentType,
    /// The envelope.
    pub envelope: Vec<u8>,
}

/// How far a message of the outbox is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutboxState {
    /// It is not sealed, and was not sent.
    Waiting,
    /// It is sealed. The relay may have it.
    Sealed,
    /// It will never be sent.
    Refused,
}

/// A message that the relay will never store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedMessage {
    /// The conversation that it should have gone to.
    pub conversation: ConversationId,
    /// The sender's id for the message.
    pub client_message_id: ClientMessageId,
    /// The code with which the relay refused it.
    pub code: String,
}

/// A message that is not sealed yet.
pub(crate) struct UnsealedMessage {
    pub(crate) position: i64,
    pub(crate) needs_new_session: bool,
    pub(crate) message: OutgoingMessage,
}

fn place(conversation: &str, client_message_id: &str) -> String {
    format!("mailbox_outbox/{conversation}/{client_message_id}")
}

/// Returns `true` if a message waits to be sealed or acknowledged.
pub(crate) async fn is_waiting(
    tx: &mut Tx,
    conversation: ConversationId,
    client_message_id: &ClientMessageId,
) -> Result<bool, MailboxError> {
    let keys = [conversation.to_string().into(), client_message_id.as_str().into()];
    Ok(tx.optional(SAME_ID, &keys).await?.is_some())
}

/// Returns `true` if messages of a conversation wait to be sealed or acknowledged.
pub(crate) async fn has_outgoing(
    tx: &mut Tx,
    conversation: ConversationId,
) -> Result<bool, MailboxError> {
    Ok(tx.scalar::<i64>(COUNT_OUTGOING, &[conversation.to_string().into()]).await? > 0)
}

/// Stores a message. The same message under the same id is stored once.
pub(crate) async fn insert(
    tx: &mut Tx,
    cipher: &RowCipher,
    message: &OutgoingMessage,
    needs_new_session: bool,
) -> Result<(), MailboxError> {
    let conversation = message.conversation.to_string();
    let name = message.client_message_id.as_str();
    let place = place(&conversation, name);
    let keys = [(&conversation).into(), name.into()];
    if let Some(row) = tx.optional(SAME_ID, &keys).await? {
        let stored = cipher.unseal(&place, &row.get::<Vec<u8>>(0)?)?;
        let is_same = *stored == *message.content;
        return if is_same { Ok(()) } else { Err(MailboxError::IdReused) };
    }
    tx.execute(NEXT_POSITION, &[]).await?;
    let recipients = recipients_text(&message.recipients);
    let content = cipher.seal(&place, &message.content);
    let values = [
        (&conversation).into(),
        name.into(),
        message.subtype.as_str().into(),
        message.content_type.as_str().into(),
        recipients.into(),
        i64::from(needs_new_session).into(),
        content.into(),
    ];
    Ok(tx.execute(INSERT, &values).await?)
}

/// The first message behind `after` that is not sealed.
pub(crate) async fn next_unsealed(
    tx: &mut Tx,
    cipher: &RowCipher,
    after: i64,
) -> Result<Option<UnsealedMessage>, MailboxError> {
    let Some(row) = tx.optional(UNSEALED, &[after.into()]).await? else { return Ok(None) };
    let (conversation, name): (String, String) = (row.get(1)?, row.get(2)?);
    let content = cipher.unseal(&place(&conversation, &name), &row.get::<Vec<u8>>(7)?)?;
    let recipients: String = row.get(5)?;
    let recipients = recipients.split(' ').map(read_endpoint).collect::<Result<_, _>>()?;
    let message = OutgoingMessage {
        conversation: read(&row, 1)?,
        client_message_id: read(&row, 2)?,
        subtype: word(MsgSubtype::find(&row.get::<String>(3)?))?,
        content_type: word(ContentType::find(&row.get::<String>(4)?))?,
        recipients,
        content,
    };
    let needs_new_session = row.get::<i64>(6)? != 0;
    Ok(Some(UnsealedMessage { position: row.get(0)?, needs_new_session, message }))
}

/// The first message behind `after` that is sealed and not acknowledged.
pub(crate) async fn next_sealed(
    tx: &mut Tx,
    after: u64,
) -> Result<Option<SealedMessage>, MailboxError> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let Some(row) = tx.optional(SEALED, &[after.into()]).await? else { return Ok(None) };
    Ok(Some(SealedMessage {
        position: row.get(0)?,
        conversation: read(&row, 1)?,
        client_message_id: read(&row, 2)?,
        subtype: word(MsgSubtype::find(&row.get::<String>(3)?))?,
        content_type: word(ContentType::find(&row.get::<String>(4)?))?,
        envelope: row.get(5)?,
    }))
}

pub(crate) async fn set_envelope(
    tx: &mut Tx,
    position: i64,
    envelope: Vec<u8>,
) -> Result<(), MailboxError> {
    Ok(tx.execute(SET_ENVELOPE, &[position.into(), envelope.into()]).await?)
}

pub(crate) async fn refuse(tx: &mut Tx, position: i64, code: &str) -> Result<(), MailboxError> {
    Ok(tx.execute(REFUSE, &[position.into(), code.into()]).await?)
}

/// The first message that the relay refused.
pub(crate) async fn next_refused(tx: &mut Tx) -> Result<Option<RefusedMessage>, MailboxError> {
    let Some(row) = tx.optional(REFUSED, &[]).await? else { return Ok(None) };
    Ok(Some(RefusedMessage {
        conversation: read(&row, 0)?,
        client_message_id: read(&row, 1)?,
        code: row.get(2)?,
    }))
}

/// Records that a new session with `peer` was set up, as its messages asked for.
pub(crate) async fn has_new_session(tx: &mut Tx, peer: Endpoint) -> Result<(), MailboxError> {
    Ok(tx.execute(HAS_NEW_SESSION, &[recipients_text(&[peer]).into()]).await?)
}

pub(crate) async fn remove(
    tx: &mut Tx,
    conversation: ConversationId,
    client_message_id: &ClientMessageId,
) -> Result<(), MailboxError> {
    let values = [conversation.to_string().into(), client_message_id.as_str().into()];
    Ok(tx.execute(DELETE, &values).await?)
}

/// How far a message is.
pub(crate) async fn state(
    tx: &mut Tx,
    conversation: ConversationId,
    client_message_id: &ClientMessageId,
) -> Result<Option<OutboxState>, MailboxError> {
    let values = [conversation.to_string().into(), client_message_id.as_str().into()];
    let Some(row) = tx.optional(STATE, &values).await? else { return Ok(None) };
    let (is_sealed, is_refused) = (row.get::<i64>(0)? != 0, row.get::<i64>(1)? != 0);
    Ok(Some(match (is_refused, is_sealed) {
        (true, _) => OutboxState::Refused,
        (false, true) => OutboxState::Sealed,
        (false, false) => OutboxState::Waiting,
    }))
}

fn recipients_text(recipients: &[Endpoint]) -> String {
    let texts: Vec<String> = recipients.iter().map(ToString::to_string).collect();
    texts.join(" ")
}

fn read<T: std::str::FromStr>(row: &Row, column: usize) -> Result<T, MailboxError> {
    str::parse(&row.get::<String>(column)?).map_err(|_| MailboxError::Damaged("outbox"))
}

fn word<T>(found: Option<T>) -> Result<T, MailboxError> {
    found.ok_or(MailboxError::Damaged("outbox"))
}
