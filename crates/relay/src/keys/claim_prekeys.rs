//! `POST /keys/claim`

use std::sync::Arc;

use assent_ids::{DeviceId, Principal, UserId};
use assent_relay_api::{
    model::PrekeyBundle,
    operations::keys::{ClaimPrekeys, PrekeyClaim},
    value::PublicKey,
};
use assent_store::{StoreError, Tx, Work};

use super::per_minute;
use crate::{
    delivery::outbox::Outbox,
    http::{Answer, Call, Refusal, Serve, rate_limits},
    keys::{agent_keys, prekeys},
    state::Relay,
    storage::stored_id::stored,
};

impl Serve for ClaimPrekeys {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let claimant = call.caller.party()?;
        let claim = Claim { claimant, whose: call.body, relay: Arc::clone(relay) };
        let bundle = relay.commit(claim).await?;
        Ok(Answer::new(bundle))
    }
}

struct Claim {
    claimant: Principal,
    whose: PrekeyClaim,
    relay: Arc<Relay>,
}

/// Whose prekeys, and what stays the same of each bundle.
struct Owner {
    id: String,
    device_id: Option<DeviceId>,
    identity_key: PublicKey,
    signing_public_key: PublicKey,
}

const DEVICE: &str = "SELECT device_id, public_key, signing_public_key FROM devices
    WHERE user_id = $1 AND device_id = $2 AND removed_at IS NULL";
/// The newest device with prekeys.
const NEWEST_DEVICE: &str = "SELECT d.device_id, d.public_key, d.signing_public_key
    FROM devices d JOIN signed_prekeys p ON p.owner_id = d.device_id AND p.replaced_at IS NULL
        JOIN kem_prekeys k ON k.owner_id = d.device_id AND k.replaced_at IS NULL
    WHERE d.user_id = $1 AND d.removed_at IS NULL
    ORDER BY d.created_at DESC, d.device_id DESC LIMIT 1";

impl Work for Claim {
    type Output = (PrekeyBundle, Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let now = self.relay.now();
        let limit = per_minute(self.relay.settings.limits.prekey_claims_per_minute);
        rate_limits::take(tx, &format!("key_claims:{}", self.claimant), limit, now).await?;
        let none = || Refusal::not_found("device or agent with prekeys");
        let owner = self.owner(tx).await?.ok_or_else(none)?;
        let claimed = prekeys::claim(tx, &owner.id, now).await?;
        let claimed = claimed.ok_or_else(none)?;
        let bundle = PrekeyBundle {
            device_id: owner.device_id,
            identity_key: owner.identity_key,
            signing_public_key: owner.signing_public_key,
            signed_prekey: claimed.signed,
            kem_prekey: claimed.kem,
            one_time_prekey: claimed.one_time,
        };
        Ok((bundle, Outbox::default()))
    }
}

impl Claim {
    async fn owner(&self, tx: &mut Tx) -> Result<Option<Owner>, StoreError> {
        match &self.whose {
            PrekeyClaim::Device { user_id, device_id } => device(tx, *user_id, *device_id).await,
            PrekeyClaim::Agent { agent_id } => {
                let keys = agent_keys::find(tx, *agent_id).await?;
                Ok(keys.map(|keys| Owner {
                    id: agent_id.to_string(),
                    device_id: None,
                    identity_key: keys.public_key,
                    signing_public_key: keys.signing_public_key,
                }))
            }
        }
    }
}

async fn device(
    tx: &mut Tx,
    user_id: UserId,
    device_id: Option<DeviceId>,
) -> Result<Option<Owner>, StoreError> {
    let user = user_id.to_string();
    let found = match device_id {
        Some(device) => tx.optional(DEVICE, &[user.into(), device.to_string().into()]).await?,
        None => tx.optional(NEWEST_DEVICE, &[user.into()]).await?,
    };
    let Some(row) = found else { return Ok(None) };
    let id: String = row.get(0)?;
    Ok(Some(Owner {
        device_id: Some(stored(&id)?),
        id,
        identity_key: stored(&row.get::<String>(1)?)?,
        signing_public_key: stored(&row.get::<String>(2)?)?,
    }))
}
