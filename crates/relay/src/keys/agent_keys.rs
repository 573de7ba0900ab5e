//! The public keys of agents.

use assent_ids::AgentId;
use assent_relay_api::model::AgentKeys;
use assent_store::{StoreError, Tx};

use crate::{
    keys::prekeys,
    storage::{stored_id::stored, times::timestamp},
};

const FIND: &str = "SELECT public_key, signing_public_key, keys_registered_at FROM agents
    WHERE agent_id = $1 AND deleted_at IS NULL AND keys_registered_at IS NOT NULL";

/// The keys of an agent, if there is one and it has registered any.
pub(crate) async fn find(tx: &mut Tx, agent_id: AgentId) -> Result<Option<AgentKeys>, StoreError> {
    let found = tx.optional(FIND, &[agent_id.to_string().into()]).await?;
    let Some(row) = found else { return Ok(None) };
    Ok(Some(AgentKeys {
        agent_id,
        public_key: stored(&row.get::<String>(0)?)?,
        signing_public_key: stored(&row.get::<String>(1)?)?,
        kem_prekey: prekeys::current_kem(tx, &agent_id.to_string()).await?,
        registered_at: timestamp(row.get(2)?),
    }))
}
