//! Agents: their operations, their tokens, the catalog in which they are searched, and who may do what with them.

pub(crate) mod catalog;
mod create_agent;
mod create_token;
mod delete_agent;
mod get_agent;
mod get_telemetry;
mod if_match;
mod list_tokens;
mod register_agent_keys;
mod revoke_token;
mod search_agents;
mod search_cursor;
mod stored;
pub(crate) mod suspension;
pub(crate) mod telemetry;
pub(crate) mod tokens;
pub(crate) mod traffic;
mod update_agent;

use assent_ids::{AgentId, UserId};
use assent_relay_api::{
    Access, Caller as Role,
    operations::agents::{
        CreateAgent, CreateToken, DeleteAgent, GetAgent, GetTelemetry, ListTokens,
        RegisterAgentKeys, RevokeToken, SearchAgents, UpdateAgent,
    },
};
use assent_store::{StoreError, Tx};

pub(crate) use self::stored::{AgentRow, find};
use crate::{
    http::{Caller, Refusal, Routes, authorization::authorize},
    storage::stored_id::stored as id,
};

const OWNER: &str = "SELECT owner_id FROM agents WHERE agent_id = $1 AND deleted_at IS NULL";
const KNOWS: &str = "SELECT count(*) FROM h2a_relations WHERE agent_id = $1 AND user_id = $2";
const NEXT_CHANGE: &str = "INSERT INTO agent_changes (counter, last_change) VALUES (1, 1)
    ON CONFLICT (counter) DO UPDATE SET last_change = agent_changes.last_change + 1
    RETURNING last_change";
const CHANGED: &str = "UPDATE agents SET change = $2 WHERE agent_id = $1";

/// Adds the operations on agents.
pub(crate) fn routes(routes: Routes) -> Routes {
    routes
        .serve::<CreateAgent>()
        .serve::<SearchAgents>()
        .serve::<GetAgent>()
        .serve::<UpdateAgent>()
        .serve::<DeleteAgent>()
        .serve::<GetTelemetry>()
        .serve::<CreateToken>()
        .serve::<ListTokens>()
        .serve::<RevokeToken>()
        .serve::<RegisterAgentKeys>()
}

/// Authorizes `caller` to call an operation with this `access` on `agent`. Returns the owner of the agent.
pub(crate) async fn admit(
    tx: &mut Tx,
    access: Access,
    caller: &Caller,
    agent: AgentId,
) -> Result<UserId, Refusal> {
    let row = tx.optional(OWNER, &[agent.to_string().into()]).await?;
    let owner = id(&row.ok_or_else(unknown)?.get::<String>(0)?)?;
    let role = role(tx, caller, agent, owner).await?;
    authorize(access, &[role], "agent")?;
    Ok(owner)
}

async fn role(
    tx: &mut Tx,
    caller: &Caller,
    agent: AgentId,
    owner: UserId,
) -> Result<Role, StoreError> {
    Ok(match caller {
        Caller::Anonymous => Role::Anonymous,
        Caller::Operator => Role::Operator,
        Caller::User { user_id, .. } if *user_id == owner => Role::Owner,
        Caller::User { user_id, .. } => {
            let key = [agent.to_string().into(), user_id.to_string().into()];
            let relations: i64 = tx.scalar(KNOWS, &key).await?;
            if relations > 0 { Role::Person } else { Role::Stranger }
        }
        Caller::Agent { agent_id, .. } if *agent_id != agent => Role::OtherAgent,
        Caller::Agent { may_write_manifest: true, .. } => Role::AgentWithManifestWrite,
        Caller::Agent { .. } => Role::Agent,
    })
}

/// Numbers a change of `agent`, so that every node finds it. A unit of work does this last, because other changes
/// of agents wait for it.
pub(crate) async fn changed(tx: &mut Tx, agent: AgentId) -> Result<(), StoreError> {
    let change: i64 = tx.scalar(NEXT_CHANGE, &[]).await?;
    tx.execute(CHANGED, &[agent.to_string().into(), change.into()]).await?;
    Ok(())
}

pub(crate) fn unknown() -> Refusal {
    Refusal::not_found("agent")
}
