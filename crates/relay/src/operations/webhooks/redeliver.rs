//! `POST /agents/{agent_id}/webhooks/deliveries/{delivery_id}/redeliver`

use std::sync::Arc;

use assent_ids::{AgentId, DeliveryId};
use assent_protocol::a2h::ApiCode;
use assent_relay_api::{Operation, model::Delivery, operations::webhooks::Redeliver};
use assent_store::{Tx, Work};

use super::stored::{ONE, delivery};
use crate::{
    agents,
    caller::Caller,
    operations::{Answer, Call, Serve},
    outbox::Outbox,
    refusal::Refusal,
    relay::Relay,
    times::millis,
    webhooks,
};

impl Serve for Redeliver {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let again = Again {
            caller: call.caller,
            agent: call.path.agent_id,
            delivery: call.path.delivery_id,
            relay: Arc::clone(relay),
        };
        Ok(Answer::new(relay.commit(again).await?))
    }
}

struct Again {
    caller: Caller,
    agent: AgentId,
    delivery: DeliveryId,
    relay: Arc<Relay>,
}

/// As if it had just come up: it is tried for another three days. The log still says when it did.
const AGAIN: &str = "UPDATE webhook_deliveries
    SET status = 'pending', failures = 0, next_attempt_at = $3, asked_at = $3, finished_at = NULL
    WHERE agent_id = $1 AND delivery_id = $2 AND status <> 'pending'";

impl Work for Again {
    type Output = (Delivery, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        agents::admit(tx, Redeliver::ACCESS, &self.caller, self.agent).await?;
        let (agent_id, delivery_id) = (self.agent.to_string(), self.delivery.to_string());
        let now = millis(self.relay.now());
        let key = [(&agent_id).into(), (&delivery_id).into(), now.into()];
        let changed = tx.change(AGAIN, &key).await?;
        let row = tx.optional(ONE, &[(&agent_id).into(), (&delivery_id).into()]).await?;
        let found = delivery(row.ok_or_else(|| Refusal::not_found("delivery"))?)?;
        if changed == 0 {
            let text = "this delivery is still pending; it is tried by itself";
            return Err(Refusal::new(ApiCode::Conflict, text));
        }
        webhooks::join(tx, &agent_id, now).await?;
        Ok((found, Outbox { deliveries: true, ..Outbox::default() }))
    }
}
