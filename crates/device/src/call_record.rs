//! Calls that were received, and their answers.

use assent_ids::{AgentId, CallId, ClientMessageId, ConversationId, InvocationId, UnixMillis};
use assent_json::Digest;
use assent_mailbox::{Mailbox, MailboxError};
use assent_protocol::a2h::ToolCall;
use assent_store::{Row, Tx};
use data_encoding::BASE32_NOPAD;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use zeroize::Zeroizing;

use crate::millis;

const INSERT: &str = "INSERT INTO device_calls
    (answer_id, invocation_id, conversation_id, agent_id, is_open, is_withdrawn, answers,
    received_at, call)
    VALUES ($1, $2, $3, $4, 1, 0, 0, $5, $6)";
const FIND: &str = "SELECT answer_id, answers, call, response, is_withdrawn, received_at,
    audit_seq FROM device_calls
    WHERE answer_id = $1";
const OPEN: &str = "SELECT answer_id, answers, call, response, is_withdrawn, received_at,
    audit_seq FROM device_calls
    WHERE is_open = 1 ORDER BY received_at, answer_id";
const BY_INVOCATION: &str = "SELECT answer_id, answers, call, response, is_withdrawn,
    received_at, audit_seq FROM device_calls WHERE invocation_id = $1";
const LIST: &str = "SELECT answer_id, answers, call, response, is_withdrawn, received_at,
    audit_seq FROM device_calls WHERE received_at < $1 OR (received_at = $1 AND invocation_id < $2)
    ORDER BY received_at DESC, invocation_id DESC LIMIT $3";
const OF_CONVERSATION: &str = "SELECT answer_id, answers, call, response, is_withdrawn,
    received_at, audit_seq FROM device_calls WHERE conversation_id = $1 AND received_at < $2
    ORDER BY received_at DESC LIMIT $3";
const WITHDRAW: &str = "UPDATE device_calls SET is_withdrawn = 1 WHERE answer_id = $1";
const CLOSE: &str = "UPDATE device_calls SET is_open = 0, response = $2, audit_seq = $3
    WHERE answer_id = $1";
const FORGET_PROMPTS: &str = "DELETE FROM device_prompts WHERE invocation_id IN
    (SELECT invocation_id FROM device_calls WHERE received_at < $1 AND is_open = 0)";
const FORGET: &str = "DELETE FROM device_calls WHERE received_at < $1 AND is_open = 0";
const COUNT_ANSWER: &str = "UPDATE device_calls SET answers = answers + 1 WHERE answer_id = $1";

/// The bytes of the digest in the name of an answer.
const NAME_BYTES: usize = 20;

/// The name of the answer to a call: the same on every device of the person, so that the relay keeps one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AnswerId(String);

impl AnswerId {
    pub(crate) fn of(conversation: ConversationId, agent: AgentId, call: &CallId) -> Self {
        let text = format!("assent/v1/answer{conversation}{agent}{call}");
        let digest = Digest::of(text.as_bytes());
        let bytes: Vec<u8> = digest.as_bytes().iter().copied().take(NAME_BYTES).collect();
        Self(BASE32_NOPAD.encode(&bytes).to_lowercase())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The id of the message with the answer. What is said again has a number.
    pub(crate) fn message_id(&self, answers: u64) -> Result<ClientMessageId, MailboxError> {
        let name = match answers {
            0 => format!("ans_{}", self.0),
            before => format!("ans_{}-{}", self.0, before + 1),
        };
        name.parse().map_err(|_| MailboxError::Damaged("answer"))
    }

    /// The id of the message that tells the agent to wait.
    pub(crate) fn pending_id(&self) -> Result<ClientMessageId, MailboxError> {
        format!("pnd_{}", self.0).parse().map_err(|_| MailboxError::Damaged("answer"))
    }
}

/// A call that was received.
#[derive(Clone, Debug)]
pub(crate) struct CallRecord {
    pub(crate) answer_id: AnswerId,
    /// How often it was answered.
    pub(crate) answers: u64,
    pub(crate) call: ReceivedCall,
    /// The answer.
    pub(crate) response: Option<Zeroizing<Vec<u8>>>,
    /// Whether the agent does not want it any more.
    pub(crate) is_withdrawn: bool,
    pub(crate) received_at: UnixMillis,
    /// The number of its entry in the audit log.
    pub(crate) audit_seq: Option<u64>,
}

/// What an agent asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ReceivedCall {
    pub(crate) invocation: InvocationId,
    pub(crate) agent_id: AgentId,
    pub(crate) conversation: ConversationId,
    pub(crate) call_id: CallId,
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    pub(crate) permission_scope: Option<String>,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) reason: Option<String>,
}

/// The longest reason of an agent that is kept, in characters.
const MAX_REASON: usize = 500;

impl ReceivedCall {
    pub(crate) fn new(
        invocation: InvocationId,
        agent_id: AgentId,
        conversation: ConversationId,
        call: &ToolCall,
    ) -> Self {
        let reason = call.extra.get("reason").and_then(Value::as_str);
        Self {
            invocation,
            agent_id,
            conversation,
            call_id: call.call_id.clone(),
            tool: call.tool_name.as_str().to_owned(),
            arguments: call.arguments.clone(),
            permission_scope: call.permission_scope.as_ref().map(|scope| scope.as_str().to_owned()),
            timeout_ms: call.timeout_ms.map(|timeout| timeout.0),
            reason: reason.map(|reason| reason.chars().take(MAX_REASON).collect()),
        }
    }

    /// A call of which only the id could be read.
    pub(crate) fn unreadable(
        invocation: InvocationId,
        agent_id: AgentId,
        conversation: ConversationId,
        call_id: &CallId,
    ) -> Self {
        Self {
            invocation,
            agent_id,
            conversation,
            call_id: call_id.clone(),
            tool: String::new(),
            arguments: Value::Null,
            permission_scope: None,
            timeout_ms: None,
            reason: None,
        }
    }
}

fn call_place(id: &str) -> String {
    format!("device_calls/{id}/call")
}

fn response_place(id: &str) -> String {
    format!("device_calls/{id}/response")
}

pub(crate) async fn insert(
    tx: &mut Tx,
    mailbox: &Mailbox,
    id: &AnswerId,
    call: &ReceivedCall,
    received_at: UnixMillis,
) -> Result<(), MailboxError> {
    let json = serde_json::to_vec(call).map_err(|_| MailboxError::Damaged("call"))?;
    let sealed = mailbox.encrypt(&call_place(id.as_str()), &json);
    let received_at = millis::sql(received_at);
    let agent = call.agent_id.to_string();
    let invocation = call.invocation.to_string();
    let conversation = call.conversation.to_string();
    let values = [
        id.as_str().into(),
        invocation.into(),
        conversation.into(),
        agent.into(),
        received_at.into(),
        sealed.into(),
    ];
    Ok(tx.execute(INSERT, &values).await?)
}

pub(crate) async fn find(
    tx: &mut Tx,
    mailbox: &Mailbox,
    id: &AnswerId,
) -> Result<Option<CallRecord>, MailboxError> {
    let row = tx.optional(FIND, &[id.as_str().into()]).await?;
    row.map(|row| read(mailbox, &row)).transpose()
}

/// The call with this device's id.
pub(crate) async fn find_by_invocation(
    tx: &mut Tx,
    mailbox: &Mailbox,
    id: InvocationId,
) -> Result<Option<CallRecord>, MailboxError> {
    let row = tx.optional(BY_INVOCATION, &[id.to_string().into()]).await?;
    row.map(|row| read(mailbox, &row)).transpose()
}

/// The last calls before a time and an id, newest first.
pub(crate) async fn list(
    tx: &mut Tx,
    mailbox: &Mailbox,
    (at, id): (UnixMillis, &str),
    limit: u32,
) -> Result<Vec<CallRecord>, MailboxError> {
    let values = [millis::sql(at).into(), id.into(), i64::from(limit).into()];
    tx.all(LIST, &values).await?.iter().map(|row| read(mailbox, row)).collect()
}

/// The last calls of a conversation before a time, newest first.
pub(crate) async fn list_of_conversation(
    tx: &mut Tx,
    mailbox: &Mailbox,
    conversation: ConversationId,
    before: UnixMillis,
    limit: u32,
) -> Result<Vec<CallRecord>, MailboxError> {
    let values =
        [conversation.to_string().into(), millis::sql(before).into(), i64::from(limit).into()];
    tx.all(OF_CONVERSATION, &values).await?.iter().map(|row| read(mailbox, row)).collect()
}

/// The calls that have no answer, in the order in which they came.
pub(crate) async fn open(tx: &mut Tx, mailbox: &Mailbox) -> Result<Vec<CallRecord>, MailboxError> {
    tx.all(OPEN, &[]).await?.iter().map(|row| read(mailbox, row)).collect()
}

pub(crate) async fn close(
    tx: &mut Tx,
    mailbox: &Mailbox,
    id: &AnswerId,
    response: &[u8],
    audit_seq: u64,
) -> Result<(), MailboxError> {
    let sealed = mailbox.encrypt(&response_place(id.as_str()), response);
    let audit_seq = i64::try_from(audit_seq).unwrap_or(i64::MAX);
    let values = [id.as_str().into(), sealed.into(), audit_seq.into()];
    Ok(tx.execute(CLOSE, &values).await?)
}

/// Records that the agent does not want the call any more.
pub(crate) async fn withdraw(tx: &mut Tx, id: &AnswerId) -> Result<(), MailboxError> {
    Ok(tx.execute(WITHDRAW, &[id.as_str().into()]).await?)
}

/// Forgets answered calls that were received before a time, and their prompts.
pub(crate) async fn forget_before(tx: &mut Tx, before: UnixMillis) -> Result<(), MailboxError> {
    let before = millis::sql(before);
    tx.execute(FORGET_PROMPTS, &[before.into()]).await?;
    Ok(tx.execute(FORGET, &[before.into()]).await?)
}

pub(crate) async fn count_answer(tx: &mut Tx, id: &AnswerId) -> Result<(), MailboxError> {
    Ok(tx.execute(COUNT_ANSWER, &[id.as_str().into()]).await?)
}

fn read(mailbox: &Mailbox, row: &Row) -> Result<CallRecord, MailboxError> {
    let id: String = row.get(0)?;
    let call = mailbox.decrypt(&call_place(&id), &row.get::<Vec<u8>>(2)?)?;
    let response: Option<Vec<u8>> = row.get(3)?;
    let response = response.map(|sealed| mailbox.decrypt(&response_place(&id), &sealed));
    Ok(CallRecord {
        answers: row.get(1)?,
        call: serde_json::from_slice(&call).map_err(|_| MailboxError::Damaged("call"))?,
        response: response.transpose()?,
        answer_id: AnswerId(id),
        is_withdrawn: row.get::<i64>(4)? != 0,
        received_at: UnixMillis::new(row.get(5)?),
        audit_seq: row.get(6)?,
    })
}
