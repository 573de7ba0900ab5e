//! Manifests that were published.

use assent_ids::{AgentId, ManifestHash};
use assent_store::{StoreError, Tx};

use crate::{delivery::events::count, storage::stored_id::stored as id};

const PAST: &str = "SELECT version, hash, canonical, created_at FROM agent_manifests
    WHERE agent_id = $1 AND version = $2";

/// A manifest that was published.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    pub(crate) version: u64,
    pub(crate) hash: ManifestHash,
    pub(crate) canonical: String,
    pub(crate) published_at: i64,
}

/// The manifest of `agent` with this version, if there is one.
pub(crate) async fn past(
    tx: &mut Tx,
    agent: AgentId,
    version: u64,
) -> Result<Option<Past>, StoreError> {
    let key = [agent.to_string().into(), count(version).into()];
    let Some(row) = tx.optional(PAST, &key).await? else { return Ok(None) };
    Ok(Some(Past {
        version: row.get(0)?,
        hash: id(&row.get::<String>(1)?)?,
        canonical: row.get(2)?,
        published_at: row.get(3)?,
    }))
}
