//! `DELETE /agents/{agent_id}/tokens/{token_id}`

use std::sync::Arc;

use assent_relay_api::{
    Operation,
    model::Empty,
    operations::agents::{RevokeToken, TokenPath},
};
use assent_store::{Tx, Work};

use crate::{
    agents::{self, tokens},
    delivery::outbox::Outbox,
    http::{Answer, Call, Caller, Refusal, Serve},
    state::Relay,
    storage::times::millis,
};

impl Serve for RevokeToken {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let revoke = Revoke { path: call.path, caller: call.caller, relay: Arc::clone(relay) };
        relay.commit(revoke).await?;
        Ok(Answer::new(Empty {}))
    }
}

struct Revoke {
    path: TokenPath,
    caller: Caller,
    relay: Arc<Relay>,
}

const REVOKE: &str = "UPDATE agent_tokens SET revoked_at = $3
    WHERE agent_id = $1 AND token_id = $2 AND revoked_at IS NULL";
const KNOWN: &str = "SELECT count(*) FROM agent_tokens WHERE agent_id = $1 AND token_id = $2";

impl Work for Revoke {
    type Output = ((), Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let (agent, token) = (self.path.agent_id, self.path.token_id);
        agents::admit(tx, RevokeToken::ACCESS, &self.caller, agent).await?;
        let (agent_id, token_id) = (agent.to_string(), token.to_string());
        if tx.scalar::<i64>(KNOWN, &[(&agent_id).into(), (&token_id).into()]).await? == 0 {
            return Err(Refusal::not_found("token"));
        }
        let mut outbox = Outbox::default();
        let row = [agent_id.into(), token_id.into(), millis(self.relay.now()).into()];
        if tx.change(REVOKE, &row).await? > 0 {
            tokens::tell_end(tx, &self.relay, agent, Some(token), &mut outbox).await?;
            outbox.revoked.push((agent, token));
        }
        Ok(((), outbox))
    }
}
