//! `POST /keys/prekeys`

use std::sync::Arc;

use assent_ids::{AgentId, DeviceId, UserId};
use assent_protocol::a2h::ApiCode;
use assent_relay_api::{model::PrekeyCount, operations::keys::PublishPrekeys, value::PublicKey};
use assent_store::{Tx, Work};

use super::per_minute;
use crate::{
    accounts::devices,
    delivery::outbox::Outbox,
    http::{Answer, Call, Caller, Refusal, Serve, rate_limits},
    keys::{
        agent_keys,
        prekeys::{self, Prekeys},
    },
    state::Relay,
};

impl Serve for PublishPrekeys {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let owner = Owner::of(&call.caller, call.body.device_id)?;
        let signing_key = relay.store.read(FindKey(owner)).await?;
        let body = call.body;
        let one_time = body.one_time_prekeys.into_vec();
        let prekeys = Prekeys::check(body.signed_prekey, body.kem_prekey, one_time, &signing_key)?;
        let publish = Publish { owner, signing_key, prekeys, relay: Arc::clone(relay) };
        let one_time_prekeys = relay.commit(publish).await?;
        Ok(Answer::new(PrekeyCount { one_time_prekeys }))
    }
}

/// Whose prekeys.
#[derive(Clone, Copy, Debug)]
enum Owner {
    Device(UserId, DeviceId),
    Agent(AgentId),
}

impl Owner {
    fn of(caller: &Caller, device: Option<DeviceId>) -> Result<Self, Refusal> {
        match (caller, device) {
            (Caller::Agent { agent_id, .. }, None) => Ok(Self::Agent(*agent_id)),
            (Caller::Agent { .. }, Some(_)) => {
                Err(Refusal::invalid("/device_id", "an agent has no devices"))
            }
            (caller, Some(device)) => Ok(Self::Device(caller.user()?, device)),
            (caller, None) => {
                caller.user()?;
                Err(Refusal::invalid("/device_id", "a person says which device has these prekeys"))
            }
        }
    }

    fn id(self) -> String {
        match self {
            Self::Device(_, device) => device.to_string(),
            Self::Agent(agent) => agent.to_string(),
        }
    }

    async fn signing_key(self, tx: &mut Tx) -> Result<PublicKey, Refusal> {
        match self {
            Self::Device(user, device) => {
                let key = devices::signing_key(tx, user, device).await?;
                key.ok_or_else(|| Refusal::not_found("device"))
            }
            Self::Agent(agent) => {
                let keys = agent_keys::find(tx, agent).await?;
                let text = "this agent has no keys yet; register them first";
                let none = || Refusal::new(ApiCode::Conflict, text);
                keys.map(|keys| keys.signing_public_key).ok_or_else(none)
            }
        }
    }
}

struct FindKey(Owner);

impl Work for FindKey {
    type Output = PublicKey;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<PublicKey, Refusal> {
        self.0.signing_key(tx).await
    }
}

struct Publish {
    owner: Owner,
    /// What the prekeys were checked with.
    signing_key: PublicKey,
    prekeys: Prekeys,
    relay: Arc<Relay>,
}

impl Work for Publish {
    type Output = (u64, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let (now, owner) = (self.relay.now(), self.owner.id());
        let limit = per_minute(self.relay.settings.limits.key_requests_per_minute);
        rate_limits::take(tx, &format!("key_publications:{owner}"), limit, now).await?;
        prekeys::lock(tx, &owner).await?;
        if self.owner.signing_key(tx).await? != self.signing_key {
            let text = "the keys of this agent have changed meanwhile; sign the prekeys again";
            return Err(Refusal::new(ApiCode::Conflict, text));
        }
        Ok((self.prekeys.publish(tx, &owner, now).await?, Outbox::default()))
    }
}
