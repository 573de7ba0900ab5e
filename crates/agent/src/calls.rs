//! Calls that wait for their answers.

use assent_ids::{CallId, ClientMessageId, ConversationId, UnixMillis};
use assent_mailbox::{Mailbox, MailboxError};
use assent_store::{Row, Tx};
use zeroize::Zeroizing;

use crate::pending_call::CallEnd;

const INSERT: &str = "INSERT INTO agent_calls
    (call_id, conversation_id, client_message_id, tool_call, deadline) VALUES ($1, $2, $3, $4, $5)";
const COLUMNS_OF_ONE: &str = "SELECT call_id, conversation_id, client_message_id, tool_call,
    deadline, answer FROM agent_calls WHERE call_id = $1";
const OPEN: &str = "SELECT call_id, conversation_id, client_message_id, tool_call, deadline, answer
    FROM agent_calls ORDER BY call_id /* whole table */";
const OF_MESSAGE: &str = "SELECT call_id FROM agent_calls WHERE client_message_id = $1";
const OF_CONVERSATION: &str = "SELECT call_id FROM agent_calls WHERE conversation_id = $1
    AND answer IS NULL ORDER BY call_id";
const SET_MESSAGE: &str = "UPDATE agent_calls SET client_message_id = $2 WHERE call_id = $1";
const SET_ANSWER: &str = "UPDATE agent_calls SET answer = $2 WHERE call_id = $1";
const SET_DEADLINE: &str = "UPDATE agent_calls SET deadline = $2 WHERE call_id = $1";
const DELETE: &str = "DELETE FROM agent_calls WHERE call_id = $1";

/// A call that was stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredCall {
    pub(crate) call_id: CallId,
    pub(crate) conversation: ConversationId,
    pub(crate) client_message_id: ClientMessageId,
    /// The message that asks for it.
    pub(crate) tool_call: Zeroizing<Vec<u8>>,
    /// The end of its total timeout.
    pub(crate) deadline: UnixMillis,
    /// The message that answers it.
    pub(crate) answer: Option<Zeroizing<Vec<u8>>>,
}

impl StoredCall {
    /// How the call ended; `None` if it is open.
    pub(crate) fn end(&self) -> Option<CallEnd> {
        CallEnd::from_json(self.answer.as_ref()?)
    }
}

fn call_place(call: &CallId) -> String {
    format!("agent_calls/{call}/tool_call")
}

fn answer_place(call: &CallId) -> String {
    format!("agent_calls/{call}/answer")
}

fn millis(time: UnixMillis) -> i64 {
    i64::try_from(time.get()).unwrap_or(i64::MAX)
}

pub(crate) async fn insert(
    tx: &mut Tx,
    mailbox: &Mailbox,
    call: &StoredCall,
) -> Result<(), MailboxError> {
    let values = [
        call.call_id.as_str().into(),
        call.conversation.to_string().into(),
        call.client_message_id.as_str().into(),
        mailbox.encrypt(&call_place(&call.call_id), &call.tool_call).into(),
        millis(call.deadline).into(),
    ];
    Ok(tx.execute(INSERT, &values).await?)
}

pub(crate) async fn find(
    tx: &mut Tx,
    mailbox: &Mailbox,
    call: &CallId,
) -> Result<Option<StoredCall>, MailboxError> {
    let row = tx.optional(COLUMNS_OF_ONE, &[call.as_str().into()]).await?;
    row.map(|row| read(mailbox, &row)).transpose()
}

pub(crate) async fn all(tx: &mut Tx, mailbox: &Mailbox) -> Result<Vec<StoredCall>, MailboxError> {
    tx.all(OPEN, &[]).await?.iter().map(|row| read(mailbox, row)).collect()
}

/// The call that a message asked for.
pub(crate) async fn of_message(
    tx: &mut Tx,
    message: &ClientMessageId,
) -> Result<Option<CallId>, MailboxError> {
    let row = tx.optional(OF_MESSAGE, &[message.as_str().into()]).await?;
    row.map(|row| read_call_id(&row)).transpose()
}

/// The calls of a conversation that have no answer.
pub(crate) async fn of_conversation(
    tx: &mut Tx,
    conversation: ConversationId,
) -> Result<Vec<CallId>, MailboxError> {
    let rows = tx.all(OF_CONVERSATION, &[conversation.to_string().into()]).await?;
    rows.iter().map(read_call_id).collect()
}

pub(crate) async fn set_message(
    tx: &mut Tx,
    call: &CallId,
    message: &ClientMessageId,
) -> Result<(), MailboxError> {
    Ok(tx.execute(SET_MESSAGE, &[call.as_str().into(), message.as_str().into()]).await?)
}

pub(crate) async fn set_answer(
    tx: &mut Tx,
    mailbox: &Mailbox,
    call: &CallId,
    answer: &[u8],
) -> Result<(), MailboxError> {
    let answer = mailbox.encrypt(&answer_place(call), answer);
    Ok(tx.execute(SET_ANSWER, &[call.as_str().into(), answer.into()]).await?)
}

pub(crate) async fn set_deadline(
    tx: &mut Tx,
    call: &CallId,
    deadline: UnixMillis,
) -> Result<(), MailboxError> {
    Ok(tx.execute(SET_DEADLINE, &[call.as_str().into(), millis(deadline).into()]).await?)
}

pub(crate) async fn remove(tx: &mut Tx, call: &CallId) -> Result<(), MailboxError> {
    Ok(tx.execute(DELETE, &[call.as_str().into()]).await?)
}

fn read(mailbox: &Mailbox, row: &Row) -> Result<StoredCall, MailboxError> {
    let damaged = |_| MailboxError::Damaged("call");
    let call_id = read_call_id(row)?;
    let answer: Option<Vec<u8>> = row.get(5)?;
    let answer = answer.map(|answer| mailbox.decrypt(&answer_place(&call_id), &answer));
    Ok(StoredCall {
        conversation: row.get::<String>(1)?.parse().map_err(damaged)?,
        client_message_id: row.get::<String>(2)?.parse().map_err(damaged)?,
        tool_call: mailbox.decrypt(&call_place(&call_id), &row.get::<Vec<u8>>(3)?)?,
        deadline: UnixMillis::new(row.get(4)?),
        answer: answer.transpose()?,
        call_id,
    })
}

fn read_call_id(row: &Row) -> Result<CallId, MailboxError> {
    row.get::<String>(0)?.parse().map_err(|_| MailboxError::Damaged("call"))
}
