//! `POST /admin/agents/{agent_id}/restore`

use std::sync::Arc;

use assent_relay_api::operations::admin::RestoreAgent;

use super::suspend_agent::ChangeAgent;
use crate::{
    agents::suspension::Change,
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
};

impl Serve for RestoreAgent {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let (agent, change) = (call.path.agent_id, Change::Restore);
        let changed = relay.commit(ChangeAgent { agent, change, relay: Arc::clone(relay) }).await?;
        Ok(Answer::new(changed))
    }
}
