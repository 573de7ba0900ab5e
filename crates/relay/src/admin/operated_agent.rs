//! Agents, as operators see them.

use assent_ids::AgentId;
use assent_protocol::wire::Open;
use assent_relay_api::{
    model::{AgentState, RelationCounts},
    operations::admin::OperatedAgent,
};
use assent_store::{Row, StoreError, Tx};

use crate::storage::{stored_id::stored, times::timestamp};

const LOAD: &str = "SELECT a.agent_id, a.name, a.owner_id, u.display_name, a.connection_mode,
        a.suspended_at, a.suspended_reason, a.created_at,
        (SELECT count(*) FROM h2a_relations r
            WHERE r.agent_id = a.agent_id AND r.status = 'active'),
        (SELECT count(*) FROM h2a_relations r
            WHERE r.agent_id = a.agent_id AND r.status = 'suspended'),
        (SELECT count(*) FROM h2a_relations r
            WHERE r.agent_id = a.agent_id AND r.status = 'active' AND r.reauth_version IS NOT NULL)
    FROM agents a JOIN users u ON u.user_id = a.owner_id
    WHERE a.agent_id = $1 AND a.deleted_at IS NULL";

/// The agent, if it has not been deleted.
pub(super) async fn load(tx: &mut Tx, agent: AgentId) -> Result<Option<OperatedAgent>, StoreError> {
    let row = tx.optional(LOAD, &[agent.to_string().into()]).await?;
    row.map(|row| read(agent, &row)).transpose()
}

fn read(agent_id: AgentId, row: &Row) -> Result<OperatedAgent, StoreError> {
    let suspended = row.get::<Option<i64>>(5)?.is_some();
    let state = if suspended { AgentState::Suspended } else { AgentState::Active };
    Ok(OperatedAgent {
        agent_id,
        name: row.get(1)?,
        owner_id: stored(&row.get::<String>(2)?)?,
        owner_name: row.get(3)?,
        connection_mode: Open::read(&row.get::<String>(4)?),
        state: state.into(),
        suspended_reason: row.get(6)?,
        relations: RelationCounts {
            active: row.get(8)?,
            suspended: row.get(9)?,
            awaiting_reauth: row.get(10)?,
        },
        created_at: timestamp(row.get(7)?),
    })
}
