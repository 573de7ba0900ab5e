//! `POST /agents/{agent_id}/tokens`

use std::sync::Arc;

use assent_ids::{AgentId, TokenId};
use assent_protocol::a2h::ApiCode;
use assent_relay_api::{
    Operation,
    operations::agents::{CreateToken, CreatedToken, NewToken},
    value::{Name, Secret},
};
use assent_store::{Tx, Work};
use zeroize::Zeroizing;

use crate::{
    accounts::secrets::{self, AGENT_PREFIX},
    agents::{self, tokens},
    delivery::outbox::Outbox,
    http::{Answer, Call, Caller, Refusal, Serve},
    state::Relay,
};

/// Tokens that an agent may have at once.
const MAX_TOKENS: i64 = 10;

impl Serve for CreateToken {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let create = Create {
            agent: call.path.agent_id,
            caller: call.caller,
            token_id: relay.minter.mint(),
            secret: secrets::generate(AGENT_PREFIX, &*relay.entropy),
            token: call.body,
            relay: Arc::clone(relay),
        };
        Ok(Answer::new(relay.commit(create).await?))
    }
}

struct Create {
    agent: AgentId,
    caller: Caller,
    token_id: TokenId,
    secret: Zeroizing<String>,
    token: NewToken,
    relay: Arc<Relay>,
}

const LIVING: &str = "SELECT count(*) FROM agent_tokens WHERE agent_id = $1 AND revoked_at IS NULL";

impl Work for Create {
    type Output = (CreatedToken, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        agents::admit(tx, CreateToken::ACCESS, &self.caller, self.agent).await?;
        let agent_id = self.agent.to_string();
        tx.lock(&agent_id).await?;
        if tx.scalar::<i64>(LIVING, &[agent_id.into()]).await? >= MAX_TOKENS {
            let text = format!("an agent has at most {MAX_TOKENS} tokens; revoke one first");
            return Err(Refusal::new(ApiCode::Conflict, text));
        }
        let now = self.relay.now();
        let token = tokens::NewToken {
            token_id: self.token_id,
            agent: self.agent,
            secret: &self.secret,
            name: self.token.name.as_ref().map(Name::as_str),
            scopes: &self.token.scopes,
        };
        tokens::store(tx, &token, now).await?;
        let created = CreatedToken {
            token_id: self.token_id,
            token: Secret::from((*self.secret).clone()),
            scopes: self.token.scopes.iter().map(|scope| (*scope).into()).collect(),
            created_at: now.into(),
        };
        Ok((created, Outbox::default()))
    }
}
