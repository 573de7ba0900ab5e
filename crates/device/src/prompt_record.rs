//! Prompts as they are stored.

use assent_ids::{AgentId, InvocationId, PromptId, UnixMillis};
use assent_mailbox::{Mailbox, MailboxError};
use assent_store::{Row, Tx};
use serde::{Deserialize, Serialize};

use crate::{Decision, decision::DecidedBy, events::PromptOutcome, millis};

const FIND: &str = "SELECT prompt_id, prompt FROM device_prompts WHERE prompt_id = $1";
const OF_CALL: &str = "SELECT prompt_id, prompt FROM device_prompts WHERE invocation_id = $1";
const UPSERT: &str = "INSERT INTO device_prompts (prompt_id, invocation_id, prompt)
    VALUES ($1, $2, $3) ON CONFLICT (prompt_id) DO UPDATE SET prompt = excluded.prompt";

/// What is stored about a prompt.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PromptRecord {
    pub(crate) invocation_id: InvocationId,
    pub(crate) agent_id: AgentId,
    pub(crate) tool: String,
    pub(crate) view_digest: String,
    #[serde(with = "millis")]
    pub(crate) opened_at: UnixMillis,
    #[serde(with = "millis")]
    pub(crate) not_after: UnixMillis,
    /// Whether it was on screen.
    pub(crate) is_shown: bool,
    /// Whether the person took more time.
    pub(crate) is_held: bool,
    pub(crate) end: Option<PromptEnd>,
}

/// How and when a prompt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PromptEnd {
    pub(crate) resolution: Resolution,
    pub(crate) decided_by: DecidedBy,
    #[serde(with = "millis")]
    pub(crate) at: UnixMillis,
}

/// How a prompt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Resolution {
    Decided(Decision),
    /// It was not opened, because of an earlier answer.
    Silent,
    TimedOut,
    /// The agent does not want the call any more.
    Withdrawn,
}

impl PromptEnd {
    pub(crate) fn decided(decision: Decision, by: DecidedBy, at: UnixMillis) -> Self {
        Self { resolution: Resolution::Decided(decision), decided_by: by, at }
    }

    pub(crate) const fn silent(at: UnixMillis) -> Self {
        Self { resolution: Resolution::Silent, decided_by: DecidedBy::Silence, at }
    }

    pub(crate) const fn unanswered(resolution: Resolution, at: UnixMillis) -> Self {
        Self { resolution, decided_by: DecidedBy::Nobody, at }
    }

    /// Whether an equal call that waits for this prompt is refused, too.
    pub(crate) const fn is_shared(&self) -> bool {
        match self.resolution {
            Resolution::Decided(decision) => !decision.allows(),
            Resolution::TimedOut => true,
            Resolution::Silent | Resolution::Withdrawn => false,
        }
    }

    pub(crate) const fn outcome(&self) -> PromptOutcome {
        match self.resolution {
            Resolution::Decided(decision) if decision.allows() => PromptOutcome::Allowed,
            Resolution::Decided(_) => PromptOutcome::Denied,
            Resolution::Silent => PromptOutcome::Allowed,
            Resolution::TimedOut => PromptOutcome::TimedOut,
            Resolution::Withdrawn => PromptOutcome::Withdrawn,
        }
    }
}

fn place(id: &str) -> String {
    format!("device_prompts/{id}")
}

pub(crate) async fn find(
    tx: &mut Tx,
    mailbox: &Mailbox,
    id: PromptId,
) -> Result<Option<PromptRecord>, MailboxError> {
    let row = tx.optional(FIND, &[id.to_string().into()]).await?;
    row.map(|row| read(mailbox, &row)).transpose()
}

/// The prompt about a call.
pub(crate) async fn of_call(
    tx: &mut Tx,
    mailbox: &Mailbox,
    invocation: InvocationId,
) -> Result<Option<PromptRecord>, MailboxError> {
    let row = tx.optional(OF_CALL, &[invocation.to_string().into()]).await?;
    row.map(|row| read(mailbox, &row)).transpose()
}

pub(crate) async fn save(
    tx: &mut Tx,
    mailbox: &Mailbox,
    id: PromptId,
    record: &PromptRecord,
) -> Result<(), MailboxError> {
    let id = id.to_string();
    let json = serde_json::to_vec(record).map_err(|_| MailboxError::Damaged("prompt"))?;
    let sealed = mailbox.encrypt(&place(&id), &json);
    let invocation = record.invocation_id.to_string();
    Ok(tx.execute(UPSERT, &[id.into(), invocation.into(), sealed.into()]).await?)
}

fn read(mailbox: &Mailbox, row: &Row) -> Result<PromptRecord, MailboxError> {
    let id: String = row.get(0)?;
    let json = mailbox.decrypt(&place(&id), &row.get::<Vec<u8>>(1)?)?;
    serde_json::from_slice(&json).map_err(|_| MailboxError::Damaged("prompt"))
}
