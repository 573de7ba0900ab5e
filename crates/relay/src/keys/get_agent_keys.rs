//! `GET /keys/agents/{agent_id}`

use std::sync::Arc;

use assent_ids::AgentId;
use assent_relay_api::{model::AgentKeys, operations::keys::GetAgentKeys};
use assent_store::{StoreError, Tx, Work};

use crate::{
    http::{Answer, Call, Refusal, Serve},
    keys::agent_keys,
    state::Relay,
};

impl Serve for GetAgentKeys {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let keys = relay.store.read(Find(call.path.agent_id)).await?;
        Ok(Answer::new(keys.ok_or_else(|| Refusal::not_found("agent with keys"))?))
    }
}

struct Find(AgentId);

impl Work for Find {
    type Output = Option<AgentKeys>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, StoreError> {
        agent_keys::find(tx, self.0).await
    }
}
