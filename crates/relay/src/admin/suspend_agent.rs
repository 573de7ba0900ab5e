//! `POST /admin/agents/{agent_id}/suspend`

use std::sync::Arc;

use assent_ids::AgentId;
use assent_relay_api::operations::admin::{OperatedAgent, SuspendAgent};
use assent_store::{Tx, Work};

use super::operated_agent;
use crate::{
    agents::{
        self,
        suspension::{self, Change},
    },
    delivery::outbox::Outbox,
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
};

impl Serve for SuspendAgent {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let change = Change::Suspend { reason: call.body.reason.map(String::from) };
        let agent = call.path.agent_id;
        let changed = relay.commit(ChangeAgent { agent, change, relay: Arc::clone(relay) }).await?;
        Ok(Answer::new(changed))
    }
}

/// Suspends or restores an agent and tells how it then is.
pub(super) struct ChangeAgent {
    pub(super) agent: AgentId,
    pub(super) change: Change,
    pub(super) relay: Arc<Relay>,
}

impl Work for ChangeAgent {
    type Output = (OperatedAgent, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let outbox = suspension::change(tx, &self.relay, self.agent, &self.change).await?;
        let agent = operated_agent::load(tx, self.agent).await?;
        Ok((agent.ok_or_else(agents::unknown)?, outbox))
    }
}
