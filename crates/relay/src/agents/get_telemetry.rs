//! `GET /agents/{agent_id}/telemetry`

use std::sync::Arc;

use assent_ids::{AgentId, Principal};
use assent_relay_api::{
    Operation,
    model::{AgentTelemetry, ConnectionMode, RelationCounts, WebhookHealth, WebhookState},
    operations::agents::GetTelemetry,
};
use assent_store::{StoreError, Tx, Work};

use crate::{
    agents::{self, telemetry, traffic},
    http::{Answer, Call, Caller, Refusal, Serve},
    state::Relay,
    storage::times::timestamp,
};

impl Serve for GetTelemetry {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let agent = call.path.agent_id;
        let mut telemetry = relay.store.read(Read { agent, caller: call.caller }).await?;
        if relay.hub.is_connected(Principal::Agent(agent)) {
            telemetry.last_connected_at = Some(relay.now().into());
        }
        Ok(Answer::new(telemetry))
    }
}

struct Read {
    agent: AgentId,
    caller: Caller,
}

const RELATIONS: &str = "SELECT count(*) FILTER (WHERE status = 'active'),
        count(*) FILTER (WHERE status = 'suspended'),
        count(*) FILTER (WHERE status = 'active' AND reauth_version IS NOT NULL)
    FROM h2a_relations WHERE agent_id = $1";
/// An acknowledgement shows that the agent is there.
const LAST_SEEN: &str = "SELECT max(updated_at) FROM event_acks WHERE party_id = $1";
const DELIVERIES: &str = "SELECT count(*) FILTER (WHERE status = 'pending'),
        max(finished_at) FILTER (WHERE status = 'delivered')
    FROM webhook_deliveries WHERE agent_id = $1";
const LAST_SUCCESS: &str = "SELECT max(a.started_at)
    FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.delivery_id
    WHERE d.agent_id = $1 AND a.status_code BETWEEN 200 AND 299";
const FAILURES: &str = "SELECT count(*)
    FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.delivery_id
    WHERE d.agent_id = $1 AND a.started_at > $2
        AND (a.status_code IS NULL OR a.status_code < 200 OR a.status_code > 299)";
const LAST_ERROR: &str = "SELECT a.error
    FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.delivery_id
    WHERE d.agent_id = $1 AND a.error IS NOT NULL ORDER BY a.started_at DESC LIMIT 1";

impl Work for Read {
    type Output = AgentTelemetry;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<AgentTelemetry, Refusal> {
        agents::admit(tx, GetTelemetry::ACCESS, &self.caller, self.agent).await?;
        let seen: Option<i64> = tx.scalar(LAST_SEEN, &[self.agent.to_string().into()]).await?;
        Ok(AgentTelemetry {
            agent_id: self.agent,
            warnings: telemetry::warnings(tx, self.agent).await?,
            relations: self.relations(tx).await?,
            traffic: traffic::of(tx, self.agent).await?,
            last_connected_at: seen.map(timestamp),
            webhook: self.webhook(tx).await?,
        })
    }
}

impl Read {
    async fn relations(&self, tx: &mut Tx) -> Result<RelationCounts, StoreError> {
        let row = tx.one(RELATIONS, &[self.agent.to_string().into()]).await?;
        let (active, suspended) = (row.get(0)?, row.get(1)?);
        Ok(RelationCounts { active, suspended, awaiting_reauth: row.get(2)? })
    }

    /// Whether deliveries arrive, if the agent is called.
    async fn webhook(&self, tx: &mut Tx) -> Result<Option<WebhookHealth>, Refusal> {
        let agent = agents::find(tx, self.agent).await?.ok_or_else(agents::unknown)?;
        if agent.connection_mode != ConnectionMode::Webhook {
            return Ok(None);
        }
        let state = match agent.unreachable {
            true => WebhookState::Unreachable,
            false => WebhookState::Reachable,
        };
        let agent_id = self.agent.to_string();
        let deliveries = tx.one(DELIVERIES, &[(&agent_id).into()]).await?;
        let success: Option<i64> = tx.scalar(LAST_SUCCESS, &[(&agent_id).into()]).await?;
        let since = success.unwrap_or_default().into();
        let last_error = tx.optional(LAST_ERROR, &[(&agent_id).into()]).await?;
        Ok(Some(WebhookHealth {
            state: state.into(),
            consecutive_failures: tx.scalar(FAILURES, &[(&agent_id).into(), since]).await?,
            pending: deliveries.get(0)?,
            last_delivered_at: deliveries.get::<Option<i64>>(1)?.map(timestamp),
            last_error: last_error.map(|row| row.get(0)).transpose()?,
        }))
    }
}
