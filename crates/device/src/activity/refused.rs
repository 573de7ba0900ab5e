//! Messages that could not be opened, or that ask for nothing that can be answered.

use assent_ids::{AgentId, ConversationId, InvocationId, UnixMillis};
use assent_mailbox::{Mailbox, MailboxError};
use assent_store::{Row, Tx};
use serde::{Deserialize, Serialize};

use crate::millis;

const INSERT: &str = "INSERT INTO device_refused (refused_id, at, message) VALUES ($1, $2, $3)";
const LIST: &str = "SELECT refused_id, at, message FROM device_refused
    WHERE at < $1 OR (at = $1 AND refused_id < $2) ORDER BY at DESC, refused_id DESC LIMIT $3";
const FIND: &str = "SELECT refused_id, at, message FROM device_refused WHERE refused_id = $1";
const FORGET: &str = "DELETE FROM device_refused WHERE at < $1";

/// A message that could not be opened, or asks for nothing that can be answered.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RefusedRecord {
    pub(crate) id: InvocationId,
    #[serde(with = "millis")]
    pub(crate) at: UnixMillis,
    pub(crate) agent_id: Option<AgentId>,
    pub(crate) conversation_id: ConversationId,
    pub(crate) reason: String,
}

fn place(id: &str) -> String {
    format!("device_refused/{id}")
}

pub(crate) async fn record_refused(
    tx: &mut Tx,
    mailbox: &Mailbox,
    refused: &RefusedRecord,
) -> Result<(), MailboxError> {
    let id = refused.id.to_string();
    let json = serde_json::to_vec(refused).map_err(|_| MailboxError::Damaged("message"))?;
    let sealed = mailbox.encrypt(&place(&id), &json);
    Ok(tx.execute(INSERT, &[id.into(), millis::sql(refused.at).into(), sealed.into()]).await?)
}

/// The last messages before a time and an id, newest first.
pub(super) async fn list(
    tx: &mut Tx,
    mailbox: &Mailbox,
    (at, id): (UnixMillis, &str),
    limit: u32,
) -> Result<Vec<RefusedRecord>, MailboxError> {
    let values = [millis::sql(at).into(), id.into(), i64::from(limit).into()];
    tx.all(LIST, &values).await?.iter().map(|row| read(mailbox, row)).collect()
}

pub(super) async fn find(
    tx: &mut Tx,
    mailbox: &Mailbox,
    id: InvocationId,
) -> Result<Option<RefusedRecord>, MailboxError> {
    let row = tx.optional(FIND, &[id.to_string().into()]).await?;
    row.map(|row| read(mailbox, &row)).transpose()
}

pub(crate) async fn forget_before(tx: &mut Tx, before: UnixMillis) -> Result<(), MailboxError> {
    Ok(tx.execute(FORGET, &[millis::sql(before).into()]).await?)
}

fn read(mailbox: &Mailbox, row: &Row) -> Result<RefusedRecord, MailboxError> {
    let id: String = row.get(0)?;
    let json = mailbox.decrypt(&place(&id), &row.get::<Vec<u8>>(2)?)?;
    serde_json::from_slice(&json).map_err(|_| MailboxError::Damaged("message"))
}
