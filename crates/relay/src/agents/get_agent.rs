//! `GET /agents/{agent_id}`

use std::sync::Arc;

use assent_ids::AgentId;
use assent_relay_api::operations::agents::GetAgent;
use assent_store::{Tx, Work};
use http::{HeaderValue, header::ETAG};

use crate::{
    agents::{self, AgentRow},
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
};

impl Serve for GetAgent {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let agent = relay.store.read(Get(call.path.agent_id)).await?;
        let hash = agent.hash.as_ref();
        let tag = hash.and_then(|hash| HeaderValue::from_str(&format!("\"{hash}\"")).ok());
        let mut answer = Answer::new(agent.seen_by(call.caller.user().ok())?);
        if let Some(tag) = tag {
            answer.headers.insert(ETAG, tag);
        }
        Ok(answer)
    }
}

struct Get(AgentId);

impl Work for Get {
    type Output = AgentRow;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<AgentRow, Refusal> {
        agents::find(tx, self.0).await?.ok_or_else(agents::unknown)
    }
}
