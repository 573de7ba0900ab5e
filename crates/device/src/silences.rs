//! Calls that need no new question, because the person allowed them for a while.

use assent_ids::{AgentId, ConversationId, ManifestHash, UnixMillis};
use assent_json::Digest;
use assent_mailbox::MailboxError;
use assent_store::Tx;

use crate::Timings;

const FIND: &str = "SELECT allowed_at, used_at FROM device_silences WHERE silence_id = $1";
const UPSERT: &str = "INSERT INTO device_silences (silence_id, agent_id, allowed_at, used_at)
    VALUES ($1, $2, $3, $3)
    ON CONFLICT (silence_id) DO UPDATE SET allowed_at = excluded.allowed_at,
    used_at = excluded.used_at";
const USE: &str = "UPDATE device_silences SET used_at = $2 WHERE silence_id = $1";

/// What a silence covers. With another manifest, scope or place it is another silence.
#[derive(Clone, Debug)]
pub(crate) struct SilenceKey {
    agent_id: AgentId,
    id: String,
}

impl SilenceKey {
    pub(crate) fn new(
        agent_id: AgentId,
        conversation: ConversationId,
        tool: &str,
        scope: &str,
        manifest_hash: &ManifestHash,
        place: Option<&str>,
    ) -> Self {
        // JSON keeps the parts apart, whatever characters are in them.
        let parts = serde_json::json!([
            agent_id,
            conversation,
            tool,
            scope,
            manifest_hash.to_string(),
            place
        ]);
        let id = Digest::of(parts.to_string().as_bytes()).to_string();
        Self { agent_id, id }
    }
}

fn millis(time: UnixMillis) -> i64 {
    i64::try_from(time.get()).unwrap_or(i64::MAX)
}

/// Allows calls for a while, from now on.
pub(crate) async fn allow(
    tx: &mut Tx,
    key: &SilenceKey,
    now: UnixMillis,
) -> Result<(), MailboxError> {
    let agent = key.agent_id.to_string();
    let values = [key.id.as_str().into(), agent.into(), millis(now).into()];
    Ok(tx.execute(UPSERT, &values).await?)
}

/// Returns `true` if a call needs no question. It then lasts for its whole time from now on, but never longer than its
/// limit.
pub(crate) async fn use_silence(
    tx: &mut Tx,
    key: &SilenceKey,
    timings: &Timings,
    now: UnixMillis,
) -> Result<bool, MailboxError> {
    let row = tx.optional(FIND, &[key.id.as_str().into()]).await?;
    let Some(row) = row else { return Ok(false) };
    let (allowed_at, used_at) = (UnixMillis::new(row.get(0)?), UnixMillis::new(row.get(1)?));
    // A clock that was set back must not make a silence longer.
    let is_past = allowed_at <= now && used_at <= now;
    let is_recent = now.since(used_at) < timings.silence;
    let is_within_limit = now.since(allowed_at) < timings.silence_max;
    if !(is_past && is_recent && is_within_limit) {
        return Ok(false);
    }
    tx.execute(USE, &[key.id.as_str().into(), millis(now).into()]).await?;
    Ok(true)
}
