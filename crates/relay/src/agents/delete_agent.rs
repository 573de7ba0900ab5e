//! `DELETE /agents/{agent_id}`

use std::sync::Arc;

use assent_ids::{AgentId, Principal, UserId};
use assent_relay_api::{Operation, model::Empty, operations::agents::DeleteAgent};
use assent_store::{StoreError, Tx, Work};

use crate::{
    agents::{self, tokens},
    delivery::outbox::Outbox,
    http::{Answer, Call, Caller, Refusal, Serve},
    keys::prekeys,
    manifests::broadcasts,
    state::Relay,
    storage::{stored_id::stored as id, times::millis},
};

impl Serve for DeleteAgent {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let delete =
            Delete { agent: call.path.agent_id, caller: call.caller, relay: Arc::clone(relay) };
        relay.commit(delete).await?;
        Ok(Answer::new(Empty {}))
    }
}

struct Delete {
    agent: AgentId,
    caller: Caller,
    relay: Arc<Relay>,
}

const DELETED: &str = "SELECT owner_id FROM agents WHERE agent_id = $1 AND deleted_at IS NOT NULL";
/// Everything that ends with an agent. The row itself stays, for what people have signed names it.
const END: [&str; 5] = [
    "UPDATE agents SET deleted_at = $2, updated_at = $2 WHERE agent_id = $1",
    "UPDATE agent_tokens SET revoked_at = $2 WHERE agent_id = $1 AND revoked_at IS NULL",
    // Marks the people who get an event; see `broadcasts`.
    "UPDATE h2a_relations SET status = 'revoked', granted_scopes = '[]', reauth_scopes = '[]',
            reauth_version = NULL, told_version = -1, suspended_by = NULL, suspended_reason = NULL,
            updated_at = $2
        WHERE agent_id = $1 AND status <> 'revoked'",
    "UPDATE conversation_members SET left_at = $2 WHERE party_id = $1 AND left_at IS NULL",
    "UPDATE webhook_deliveries SET status = 'failed', finished_at = $2
        WHERE agent_id = $1 AND status = 'pending'",
];
const FORGET: [&str; 3] = [
    "DELETE FROM webhook_secrets WHERE agent_id = $1",
    "DELETE FROM agent_scopes WHERE agent_id = $1",
    "DELETE FROM agent_telemetry WHERE agent_id = $1",
];

impl Work for Delete {
    type Output = ((), Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let mut outbox = Outbox::default();
        let (agent_id, now) = (self.agent.to_string(), millis(self.relay.now()));
        if self.was_deleted(tx).await? {
            return Ok(((), outbox));
        }
        agents::admit(tx, DeleteAgent::ACCESS, &self.caller, self.agent).await?;
        tx.lock(&agent_id).await?;
        broadcasts::pause(tx, self.agent).await?;
        for statement in END {
            tx.execute(statement, &[(&agent_id).into(), now.into()]).await?;
        }
        for statement in FORGET {
            tx.execute(statement, &[(&agent_id).into()]).await?;
        }
        prekeys::forget(tx, &agent_id).await?;
        tokens::tell_end(tx, &self.relay, self.agent, None, &mut outbox).await?;
        broadcasts::begin_farewell(tx, self.agent, &mut outbox).await?;
        outbox.expelled.push(Principal::Agent(self.agent));
        agents::changed(tx, self.agent).await?;
        Ok(((), outbox))
    }
}

impl Delete {
    /// Whether the same was asked for before.
    async fn was_deleted(&self, tx: &mut Tx) -> Result<bool, StoreError> {
        let Some(row) = tx.optional(DELETED, &[self.agent.to_string().into()]).await? else {
            return Ok(false);
        };
        let owner: UserId = id(&row.get::<String>(0)?)?;
        Ok(self.caller.user().is_ok_and(|user| user == owner))
    }
}
