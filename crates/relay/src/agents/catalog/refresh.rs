//! Taking over what changed since the last search.

use assent_ids::AgentId;
use assent_store::{Row, StoreError, Tx};

use super::{Catalog, entry::Described};
use crate::storage::stored_id::stored as id;

/// Agents that are read at once: their manifests may be large.
const AT_ONCE: usize = 100;

const CHANGES: &str =
    "SELECT a.change, a.agent_id, a.deleted_at, a.owner_id, a.name, a.description,
        m.canonical
    FROM agents a LEFT JOIN agent_manifests m
        ON m.agent_id = a.agent_id AND m.version = a.capability_manifest_version
    WHERE a.change > $1 ORDER BY a.change LIMIT $2";

/// An agent that changed.
pub(super) struct Changed {
    pub(super) number: i64,
    pub(super) agent: AgentId,
    /// `None` if it was deleted.
    pub(super) described: Option<Described>,
}

impl Catalog {
    /// Takes over everything that `tx` sees.
    pub(crate) async fn refresh(&self, tx: &mut Tx) -> Result<(), StoreError> {
        loop {
            let limit = i64::try_from(AT_ONCE).unwrap_or(i64::MAX);
            let rows = tx.all(CHANGES, &[self.seen().into(), limit.into()]).await?;
            let is_last = rows.len() < AT_ONCE;
            self.take_over(rows.iter().map(changed).collect::<Result<_, _>>()?);
            if is_last {
                return Ok(());
            }
        }
    }
}

fn changed(row: &Row) -> Result<Changed, StoreError> {
    let (number, agent) = (row.get(0)?, id(&row.get::<String>(1)?)?);
    if row.get::<Option<i64>>(2)?.is_some() {
        return Ok(Changed { number, agent, described: None });
    }
    let owner = id(&row.get::<String>(3)?)?;
    let (description, manifest) = (row.get::<Option<String>>(5)?, row.get::<Option<String>>(6)?);
    let described = Described::new(owner, row.get(4)?, description.as_deref(), manifest.as_deref());
    Ok(Changed { number, agent, described: Some(described) })
}
