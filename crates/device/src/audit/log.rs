//! The audit log as it is stored.

use assent_ids::{AuditEntryId, UnixMillis};
use assent_json::{Digest, Json};
use assent_mailbox::{Mailbox, MailboxError};
use assent_protocol::{
    a2h::{ToolOutcome, ToolResponse},
    wire::Timestamp,
};
use assent_store::{Row, Tx};
use data_encoding::{BASE64, HEXLOWER};
use serde::{Deserialize, Serialize};

use super::{
    chain::{AuditMark, MarkKind},
    entry::{AuditEntry, VERSION},
};
use crate::{DecidedBy, call_record::ReceivedCall, millis, prompt_record, relation};

const STATE: &str = "SELECT state FROM device_audit_state WHERE only_row = 1";
const SAVE_STATE: &str = "INSERT INTO device_audit_state (only_row, state) VALUES (1, $1)
    ON CONFLICT (only_row) DO UPDATE SET state = excluded.state";
const INSERT: &str = "INSERT INTO device_audit (seq, answered_at, entry) VALUES ($1, $2, $3)";
const FIND: &str = "SELECT seq, entry FROM device_audit WHERE seq = $1";
const LIST: &str = "SELECT seq, entry FROM device_audit WHERE seq < $1 ORDER BY seq DESC LIMIT $2";
const ALL: &str = "SELECT seq, entry FROM device_audit ORDER BY seq /* whole table */";
const FIRST_KEPT: &str =
    "SELECT seq FROM device_audit WHERE answered_at >= $1 ORDER BY seq LIMIT 1";
const LAST_BEFORE: &str = "SELECT seq, entry FROM device_audit WHERE seq < $1
    ORDER BY seq DESC LIMIT 1";
const FORGET: &str = "DELETE FROM device_audit WHERE seq <= $1";

const STATE_PLACE: &str = "device_audit_state";

/// The id and the time of a new entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp {
    pub(crate) entry_id: AuditEntryId,
    pub(crate) at: UnixMillis,
}

/// What is stored in addition to the entries.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct AuditState {
    /// Keeps arguments that can be guessed from being found by their digests.
    pub(super) salt: String,
    pub(super) head: Option<AuditMark>,
    pub(super) checkpoint: Option<AuditMark>,
}

fn place(seq: i64) -> String {
    format!("device_audit/{seq}")
}

fn damaged<E>(_: E) -> MailboxError {
    MailboxError::Damaged("audit log")
}

pub(super) async fn find_state(
    tx: &mut Tx,
    mailbox: &Mailbox,
) -> Result<Option<AuditState>, MailboxError> {
    let Some(row) = tx.optional(STATE, &[]).await? else { return Ok(None) };
    let json = mailbox.decrypt(STATE_PLACE, &row.get::<Vec<u8>>(0)?)?;
    serde_json::from_slice(&json).map(Some).map_err(damaged)
}

pub(super) async fn state(tx: &mut Tx, mailbox: &Mailbox) -> Result<AuditState, MailboxError> {
    find_state(tx, mailbox).await?.ok_or(MailboxError::Damaged("audit log"))
}

pub(super) async fn save_state(
    tx: &mut Tx,
    mailbox: &Mailbox,
    state: &AuditState,
) -> Result<(), MailboxError> {
    let json = serde_json::to_vec(state).map_err(damaged)?;
    Ok(tx.execute(SAVE_STATE, &[mailbox.encrypt(STATE_PLACE, &json).into()]).await?)
}

async fn sign(
    tx: &mut Tx,
    mailbox: &Mailbox,
    kind: MarkKind,
    (seq, hash): (u64, String),
    at: UnixMillis,
) -> Result<AuditMark, MailboxError> {
    let at = Timestamp::from(at);
    let signature = mailbox.sign(tx, &AuditMark::message(kind, seq, &hash, &at)).await?;
    Ok(AuditMark { seq, hash, at, signature: BASE64.encode(&signature) })
}

/// Adds the entry of a call in the transaction that stores its answer. Returns the new head.
pub(crate) async fn append(
    tx: &mut Tx,
    mailbox: &Mailbox,
    call: &ReceivedCall,
    response: &ToolResponse,
    stamp: Stamp,
) -> Result<AuditMark, MailboxError> {
    let mut state = state(tx, mailbox).await?;
    let (seq, prev) = match &state.head {
        Some(head) => (head.seq.saturating_add(1), Some(head.hash.clone())),
        None => (1, None),
    };
    let arguments_digest = arguments_digest(&state.salt, call)?;
    let link = Link { seq, prev, stamp, arguments_digest };
    let entry = entry(tx, mailbox, call, response, link).await?;
    let hash = entry.hash().map_err(damaged)?;
    let head = sign(tx, mailbox, MarkKind::Head, (seq, hash), stamp.at).await?;
    let row = i64::try_from(seq).map_err(damaged)?;
    let json = serde_json::to_vec(&entry).map_err(damaged)?;
    let sealed = mailbox.encrypt(&place(row), &json);
    tx.execute(INSERT, &[row.into(), millis::sql(stamp.at).into(), sealed.into()]).await?;
    state.head = Some(head.clone());
    save_state(tx, mailbox, &state).await?;
    Ok(head)
}

/// The place of an entry in the chain.
struct Link {
    seq: u64,
    prev: Option<String>,
    stamp: Stamp,
    arguments_digest: String,
}

async fn entry(
    tx: &mut Tx,
    mailbox: &Mailbox,
    call: &ReceivedCall,
    response: &ToolResponse,
    link: Link,
) -> Result<AuditEntry, MailboxError> {
    let relation = relation::find(tx, mailbox, call.agent_id).await?;
    let tool = relation.as_ref().and_then(|relation| relation.tool(&call.tool).ok()?);
    let prompt = prompt_record::of_call(tx, mailbox, call.invocation).await?;
    let end = prompt.as_ref().and_then(|prompt| prompt.end);
    let (reason, error_code) = match &response.outcome {
        ToolOutcome::Denied { reason } => (Some(reason.as_str().to_owned()), None),
        ToolOutcome::Error { code, reason } => {
            (Some(reason.as_str().to_owned()), Some(code.as_str().to_owned()))
        }
        _ => (None, None),
    };
    Ok(AuditEntry {
        v: VERSION,
        seq: link.seq,
        entry_id: link.stamp.entry_id,
        prev: link.prev,
        call_id: call.call_id.clone(),
        agent_id: call.agent_id,
        tool_name: call.tool.clone(),
        scope: tool.map(|tool| tool.declared.permission_scope.to_string()),
        arguments_digest: link.arguments_digest,
        status: response.outcome.status().to_owned(),
        reason,
        error_code,
        decided_by: end.map_or(DecidedBy::Policy, |end| end.decided_by),
        invocation_id: call.invocation,
        manifest_hash: relation.map(|relation| relation.manifest().hash.to_string()),
        // What a silence allowed was not shown.
        view_digest: prompt
            .filter(|_| end.is_none_or(|end| end.decided_by != DecidedBy::Silence))
            .map(|prompt| prompt.view_digest),
        timestamp: Timestamp::from(link.stamp.at),
    })
}

fn arguments_digest(salt: &str, call: &ReceivedCall) -> Result<String, MailboxError> {
    let salt = HEXLOWER.decode(salt.as_bytes()).map_err(damaged)?;
    let arguments = Json::from_value(&call.arguments).map_err(damaged)?;
    let bytes = [salt, arguments.root().canonical()].concat();
    Ok(Digest::of(&bytes).to_string())
}

/// The entries before a number, newest first.
pub(super) async fn list(
    tx: &mut Tx,
    mailbox: &Mailbox,
    before: u64,
    limit: u32,
) -> Result<Vec<AuditEntry>, MailboxError> {
    let before = i64::try_from(before).unwrap_or(i64::MAX);
    let rows = tx.all(LIST, &[before.into(), i64::from(limit).into()]).await?;
    rows.iter().map(|row| read(mailbox, row)).collect()
}

/// The entry with this number.
pub(crate) async fn find(
    tx: &mut Tx,
    mailbox: &Mailbox,
    seq: u64,
) -> Result<Option<AuditEntry>, MailboxError> {
    let seq = i64::try_from(seq).map_err(damaged)?;
    let row = tx.optional(FIND, &[seq.into()]).await?;
    row.map(|row| read(mailbox, &row)).transpose()
}

/// All entries, oldest first; one that cannot be read is its number.
pub(super) async fn all(
    tx: &mut Tx,
    mailbox: &Mailbox,
) -> Result<Vec<Result<AuditEntry, u64>>, MailboxError> {
    let mut entries = Vec::new();
    for row in tx.all(ALL, &[]).await? {
        let seq = u64::try_from(row.get::<i64>(0)?).unwrap_or_default();
        entries.push(read(mailbox, &row).map_err(|_| seq));
    }
    Ok(entries)
}

fn read(mailbox: &Mailbox, row: &Row) -> Result<AuditEntry, MailboxError> {
    let seq: i64 = row.get(0)?;
    let json = mailbox.decrypt(&place(seq), &row.get::<Vec<u8>>(1)?)?;
    serde_json::from_slice(&json).map_err(damaged)
}

/// Forgets old entries. A signed checkpoint stands for them.
pub(crate) async fn forget_before(
    tx: &mut Tx,
    mailbox: &Mailbox,
    before: UnixMillis,
    now: UnixMillis,
) -> Result<(), MailboxError> {
    let kept = tx.optional(FIRST_KEPT, &[millis::sql(before).into()]).await?;
    let kept = kept.map(|row| row.get::<i64>(0)).transpose()?.unwrap_or(i64::MAX);
    let Some(row) = tx.optional(LAST_BEFORE, &[kept.into()]).await? else { return Ok(()) };
    // An entry that cannot be read is kept, so that it is found.
    let Ok(entry) = read(mailbox, &row) else { return Ok(()) };
    let hash = entry.hash().map_err(damaged)?;
    let mut state = state(tx, mailbox).await?;
    let checkpoint = sign(tx, mailbox, MarkKind::Checkpoint, (entry.seq, hash), now).await?;
    state.checkpoint = Some(checkpoint);
    save_state(tx, mailbox, &state).await?;
    Ok(tx.execute(FORGET, &[row.get::<i64>(0)?.into()]).await?)
}
