//! What there is to tell.

use assent_ids::{AgentId, ManifestHash, ScopeId};
use assent_store::{Row, StoreError, Tx};

use crate::{
    delivery::{events::count, outbox::Outbox},
    storage::{
        columns::{json, to_json},
        stored_id::stored as id,
    },
};

const BEGIN: &str = "INSERT INTO broadcasts (agent_id, version, kind, hash, scopes)
    VALUES ($1, $2, $3, $4, $5)";
const BEGIN_KEYS_CHANGED: &str = "INSERT INTO broadcasts (agent_id, version, kind, hash, scopes)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (agent_id, version) DO UPDATE SET told_to = ''";
const FORGET: &str = "DELETE FROM broadcasts WHERE agent_id = $1";
/// The oldest first: what has to be agreed to adds up.
const FIRST: &str = "SELECT version, kind, hash, scopes, told_to FROM broadcasts
    WHERE agent_id = $1 ORDER BY version LIMIT 1";

/// A manifest that was published.
pub(crate) struct News<'a> {
    pub(crate) agent: AgentId,
    pub(crate) version: u64,
    pub(crate) hash: &'a ManifestHash,
    /// What people have to agree to again; `None` if they need not be asked.
    pub(crate) reauth: Option<&'a [ScopeId]>,
}

/// Notes a broadcast about a new manifest.
pub(crate) async fn begin(
    tx: &mut Tx,
    news: &News<'_>,
    outbox: &mut Outbox,
) -> Result<(), StoreError> {
    let kind = if news.reauth.is_some() { REAUTH } else { CHANGED };
    let row = [
        news.agent.to_string().into(),
        count(news.version).into(),
        kind.into(),
        news.hash.as_str().into(),
        to_json(&news.reauth.unwrap_or_default())?.into(),
    ];
    tx.execute(BEGIN, &row).await?;
    outbox.broadcasts = true;
    Ok(())
}

/// Notes a broadcast about the deletion of an agent, which replaces all others.
pub(crate) async fn begin_farewell(
    tx: &mut Tx,
    agent: AgentId,
    outbox: &mut Outbox,
) -> Result<(), StoreError> {
    let agent_id = agent.to_string();
    tx.execute(FORGET, &[(&agent_id).into()]).await?;
    let row = [agent_id.into(), 0_i64.into(), DELETED.into(), "".into(), "[]".into()];
    tx.execute(BEGIN, &row).await?;
    outbox.broadcasts = true;
    Ok(())
}

/// Records that people have to learn of the new keys of an agent. If news of earlier keys are on their way, they
/// start again from the first person. The caller holds the lock of [`pause`](super::pause).
pub(crate) async fn begin_keys_changed(
    tx: &mut Tx,
    agent: AgentId,
    outbox: &mut Outbox,
) -> Result<(), StoreError> {
    let row = [
        agent.to_string().into(),
        KEYS_CHANGED_VERSION.into(),
        KEYS_CHANGED.into(),
        "".into(),
        "[]".into(),
    ];
    tx.execute(BEGIN_KEYS_CHANGED, &row).await?;
    outbox.broadcasts = true;
    Ok(())
}

/// Stands for a version in news of keys, which are about no manifest. Below all versions: it goes out first.
const KEYS_CHANGED_VERSION: i64 = -1;

const REAUTH: &str = "reauth";
const CHANGED: &str = "changed";
const DELETED: &str = "deleted";
const KEYS_CHANGED: &str = "keys_changed";

/// News that are being sent.
#[derive(Debug)]
pub(super) struct Broadcast {
    pub(super) version: i64,
    pub(super) kind: Kind,
    /// The last person who was reached.
    pub(super) told_to: String,
}

/// What they are about.
#[derive(Debug)]
pub(super) enum Kind {
    /// A manifest that people have to agree to again, for these scopes.
    Reauth(ManifestHash, Vec<ScopeId>),
    /// A manifest that needs no answer.
    Changed(ManifestHash),
    /// The agent is gone.
    Deleted,
    /// The agent has registered other keys.
    KeysChanged,
}

/// The oldest unsent news of `agent`.
pub(super) async fn first(tx: &mut Tx, agent: AgentId) -> Result<Option<Broadcast>, StoreError> {
    let row = tx.optional(FIRST, &[agent.to_string().into()]).await?;
    row.as_ref().map(read).transpose()
}

fn read(row: &Row) -> Result<Broadcast, StoreError> {
    let (kind, hash) = (row.get::<String>(1)?, row.get::<String>(2)?);
    let scopes: Vec<ScopeId> = json(&row.get::<String>(3)?)?;
    let kind = match kind.as_str() {
        REAUTH => Kind::Reauth(id(&hash)?, scopes),
        CHANGED => Kind::Changed(id(&hash)?),
        DELETED => Kind::Deleted,
        KEYS_CHANGED => Kind::KeysChanged,
        _ => return Err(StoreError::Refused("a broadcast is of an unknown kind".to_owned())),
    };
    Ok(Broadcast { version: row.get(0)?, kind, told_to: row.get(4)? })
}
