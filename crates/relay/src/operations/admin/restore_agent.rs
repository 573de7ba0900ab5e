//! `POST /admin/agents/{agent_id}/restore`

use std::sync::Arc;

use assent_relay_api::operations::admin::RestoreAgent;

use super::suspend_agent::ChangeAgent;
use crate::{
    agent_suspension::Change,
    operations::{Answer, Call, Serve},
    refusal::Refusal,
    relay::Relay,
};

impl Serve for RestoreAgent {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let (agent, change) = (call.path.agent_id, Change::Restore);
        let changed = relay.commit(ChangeAgent { agent, change, relay: Arc::clone(relay) }).await?;
        Ok(Answer::new(changed))
    }
}
