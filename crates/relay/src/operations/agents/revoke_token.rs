//! `DELETE /agents/{agent_id}/tokens/{token_id}`

use std::sync::Arc;

use assent_relay_api::{
    Operation,
    model::Empty,
    operations::agents::{RevokeToken, TokenPath},
};
use assent_store::{Tx, Work};

use crate::{
    agents,
    caller::Caller,
    operations::{Answer, Call, Serve},
    outbox::Outbox,
    refusal::Refusal,
    relay::Relay,
    times::millis,
};

impl Serve for RevokeToken {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let revoke = Revoke { path: call.path, caller: call.caller, now: millis(relay.now()) };
        relay.commit(revoke).await?;
        Ok(Answer::new(Empty {}))
    }
}

struct Revoke {
    path: TokenPath,
    caller: Caller,
    now: i64,
}

/// The first time counts: a revocation that is repeated changes nothing.
const REVOKE: &str = "UPDATE agent_tokens SET revoked_at = COALESCE(revoked_at, $3)
    WHERE agent_id = $1 AND token_id = $2";

impl Work for Revoke {
    type Output = ((), Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let (agent, token) = (self.path.agent_id, self.path.token_id);
        agents::admit(tx, RevokeToken::ACCESS, &self.caller, agent).await?;
        let row = [agent.to_string().into(), token.to_string().into(), self.now.into()];
        if tx.execute(REVOKE, &row).await? == 0 {
            return Err(Refusal::not_found("token"));
        }
        let outbox = Outbox { revoked: vec![(agent, token)], ..Outbox::default() };
        Ok(((), outbox))
    }
}
