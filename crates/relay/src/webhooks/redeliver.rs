//! `POST /agents/{agent_id}/webhooks/deliveries/{delivery_id}/redeliver`

use std::sync::Arc;

use assent_ids::{AgentId, DeliveryId};
use assent_relay_api::{Operation, model::Delivery, operations::webhooks::Redeliver};
use assent_store::{Tx, Work};

use super::stored::{ONE, delivery};
use crate::{
    agents,
    delivery::outbox::Outbox,
    http::{Answer, Call, Caller, Refusal, Serve},
    state::Relay,
    storage::times::millis,
    webhooks,
};

impl Serve for Redeliver {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let request = RequestRedelivery {
            caller: call.caller,
            agent: call.path.agent_id,
            delivery: call.path.delivery_id,
            relay: Arc::clone(relay),
        };
        Ok(Answer::new(relay.commit(request).await?))
    }
}

struct RequestRedelivery {
    caller: Caller,
    agent: AgentId,
    delivery: DeliveryId,
    relay: Arc<Relay>,
}

impl Work for RequestRedelivery {
    type Output = (Delivery, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        agents::admit(tx, Redeliver::ACCESS, &self.caller, self.agent).await?;
        let (agent_id, delivery_id) = (self.agent.to_string(), self.delivery.to_string());
        let now = millis(self.relay.now());
        if !webhooks::request_redelivery(tx, &agent_id, &delivery_id, now).await? {
            return Err(Refusal::not_found("delivery"));
        }
        let row = tx.one(ONE, &[(&agent_id).into(), (&delivery_id).into()]).await?;
        let found = delivery(&row)?;
        Ok((found, Outbox { deliveries: true, ..Outbox::default() }))
    }
}
