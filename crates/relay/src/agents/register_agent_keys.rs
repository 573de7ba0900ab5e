//! `POST /agents/{agent_id}/keys/register`

use std::sync::Arc;

use assent_ids::AgentId;
use assent_relay_api::{
    Operation,
    operations::agents::{RegisterAgentKeys, RegisteredKeys},
    value::PublicKey,
};
use assent_store::{Tx, Work};

use crate::{
    agents,
    delivery::outbox::Outbox,
    http::{Answer, Call, Caller, Refusal, Serve},
    keys::{
        agent_keys,
        prekeys::{self, Prekeys},
        public_keys::check_identity,
    },
    manifests::broadcasts,
    state::Relay,
    storage::times::millis,
};

impl Serve for RegisterAgentKeys {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let (agent, caller, keys) = (call.path.agent_id, call.caller, call.body);
        relay.store.read(Admit { agent, caller }).await?;
        check_identity(&keys.public_key, &keys.signing_public_key)?;
        let one_time = keys.one_time_prekeys.into_vec();
        let (signed, kem) = (keys.signed_prekey, Some(keys.kem_prekey));
        let prekeys = Prekeys::check(signed, kem, one_time, &keys.signing_public_key)?;
        let register = Register {
            agent,
            public_key: keys.public_key,
            signing_public_key: keys.signing_public_key,
            prekeys,
            relay: Arc::clone(relay),
        };
        Ok(Answer::new(relay.commit(register).await?))
    }
}

struct Admit {
    agent: AgentId,
    caller: Caller,
}

impl Work for Admit {
    type Output = ();
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<(), Refusal> {
        agents::admit(tx, RegisterAgentKeys::ACCESS, &self.caller, self.agent).await.map(|_| ())
    }
}

struct Register {
    agent: AgentId,
    public_key: PublicKey,
    signing_public_key: PublicKey,
    prekeys: Prekeys,
    relay: Arc<Relay>,
}

const REPLACE: &str = "UPDATE agents SET public_key = $2, signing_public_key = $3,
        keys_registered_at = $4, updated_at = $4
    WHERE agent_id = $1";

impl Work for Register {
    type Output = (RegisteredKeys, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let (agent_id, now) = (self.agent.to_string(), self.relay.now());
        let mut outbox = Outbox::default();
        broadcasts::pause(tx, self.agent).await?;
        prekeys::lock(tx, &agent_id).await?;
        let before = agent_keys::find(tx, self.agent).await?;
        let had_keys = before.is_some();
        let mine = (self.public_key, self.signing_public_key);
        let same = before.filter(|keys| (keys.public_key, keys.signing_public_key) == mine);
        let registered_at = match same {
            Some(keys) => keys.registered_at,
            None => {
                prekeys::forget(tx, &agent_id).await?;
                let (public, signing) = (mine.0.to_string(), mine.1.to_string());
                let at = millis(now).into();
                let row = [(&agent_id).into(), public.into(), signing.into(), at];
                tx.execute(REPLACE, &row).await?;
                if had_keys {
                    broadcasts::begin_keys_changed(tx, self.agent, &mut outbox).await?;
                }
                now.into()
            }
        };
        let one_time_prekeys = self.prekeys.publish(tx, &agent_id, now).await?;
        let registered = RegisteredKeys {
            agent_id: self.agent,
            public_key: self.public_key,
            signing_public_key: self.signing_public_key,
            registered_at,
            one_time_prekeys,
        };
        Ok((registered, outbox))
    }
}
