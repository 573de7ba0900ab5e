//! `POST /agents/{agent_id}/webhook-secret/rotate`

use std::sync::Arc;

use assent_ids::AgentId;
use assent_outbound::standard_webhooks;
use assent_protocol::a2h::ApiCode;
use assent_relay_api::{
    Operation,
    operations::webhooks::{RotateWebhookSecret, RotatedSecret},
    value::Secret,
};
use assent_store::{Tx, Work};

use crate::{
    agents,
    delivery::outbox::Outbox,
    http::{Answer, Call, Caller, Refusal, Serve},
    state::Relay,
    webhooks::{Rotated, rotate_secret},
};

impl Serve for RotateWebhookSecret {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let secret = standard_webhooks::Secret::generate(&*relay.entropy);
        let webhook_secret = Secret::from(secret.expose().to_string());
        let rotate = Rotate {
            caller: call.caller,
            agent: call.path.agent_id,
            secret,
            relay: Arc::clone(relay),
        };
        let rotated = relay.commit(rotate).await?;
        let previous_valid_until = rotated.previous_valid_until.into();
        Ok(Answer::new(RotatedSecret { webhook_secret, previous_valid_until }))
    }
}

struct Rotate {
    caller: Caller,
    agent: AgentId,
    secret: standard_webhooks::Secret,
    relay: Arc<Relay>,
}

const IS_CALLED: &str =
    "SELECT count(*) FROM agents WHERE agent_id = $1 AND connection_mode = 'webhook'";

impl Work for Rotate {
    type Output = (Rotated, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        agents::admit(tx, RotateWebhookSecret::ACCESS, &self.caller, self.agent).await?;
        let called: i64 = tx.scalar(IS_CALLED, &[self.agent.to_string().into()]).await?;
        if called == 0 {
            let text = "this agent is not called; set its `connection_mode` to `webhook` first";
            return Err(Refusal::new(ApiCode::Conflict, text));
        }
        let rotated = rotate_secret(tx, &self.relay, self.agent, &self.secret).await?;
        Ok((rotated, Outbox::default()))
    }
}
