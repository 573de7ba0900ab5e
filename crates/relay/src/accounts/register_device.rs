//! `POST /devices`

use std::sync::Arc;

use assent_ids::{DeviceId, TokenFamilyId, UserId};
use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::{
    model::Device,
    operations::accounts::{NewDevice, RegisterDevice},
};
use assent_store::{Tx, Work};
use http::StatusCode;

use crate::{
    accounts::devices,
    delivery::outbox::Outbox,
    http::{Answer, Call, Refusal, Serve},
    keys::{prekeys::Prekeys, public_keys::check_identity},
    state::Relay,
    storage::times::millis,
};

impl Serve for RegisterDevice {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let NewDevice { public_key, signing_public_key, kem_prekey, .. } = &call.body;
        check_identity(public_key, signing_public_key)?;
        let kem_prekey = Some(kem_prekey.clone());
        let prekeys = Prekeys::check(None, kem_prekey, Vec::new(), signing_public_key)?;
        let (user_id, family_id) = call.caller.login()?;
        let insert = Insert {
            user_id,
            family_id,
            device_id: relay.minter.mint(),
            device: call.body,
            prekeys,
            relay: Arc::clone(relay),
        };
        let (device, outcome) = relay.commit(insert).await?;
        let mut answer = Answer::new(device);
        if outcome == Outcome::RegisteredBefore {
            answer.status = Some(StatusCode::OK);
        }
        Ok(answer)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Registered,
    RegisteredBefore,
}

struct Insert {
    user_id: UserId,
    family_id: TokenFamilyId,
    device_id: DeviceId,
    device: NewDevice,
    prekeys: Prekeys,
    relay: Arc<Relay>,
}

const INSERT: &str = "INSERT INTO devices
    (device_id, user_id, name, public_key, signing_public_key, family_id, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";

impl Work for Insert {
    type Output = ((Device, Outcome), Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        devices::lock(tx, self.user_id).await?;
        let present = devices::present(tx, self.user_id).await?;
        if let Some(device) = present.iter().find(|device| self.is(device)) {
            return Ok(((device.clone(), Outcome::RegisteredBefore), Outbox::default()));
        }
        let limit = self.relay.settings.limits.devices;
        if present.len() >= limit {
            let text = format!("there are {limit} devices already; remove one first");
            return Err(ApiError::new(ApiCode::DeviceLimit, text).with("limit", limit).into());
        }
        Ok(((self.insert(tx).await?, Outcome::Registered), Outbox::default()))
    }
}

impl Insert {
    fn is(&self, device: &Device) -> bool {
        device.public_key == self.device.public_key
            && device.signing_public_key == self.device.signing_public_key
    }

    async fn insert(&self, tx: &mut Tx) -> Result<Device, Refusal> {
        let now = self.relay.now();
        let row = [
            self.device_id.to_string().into(),
            self.user_id.to_string().into(),
            self.device.name.as_str().into(),
            self.device.public_key.to_string().into(),
            self.device.signing_public_key.to_string().into(),
            self.family_id.to_string().into(),
            millis(now).into(),
        ];
        tx.execute(INSERT, &row).await?;
        self.prekeys.publish(tx, &self.device_id.to_string(), now).await?;
        Ok(Device {
            device_id: self.device_id,
            name: self.device.name.as_str().to_owned(),
            public_key: self.device.public_key,
            signing_public_key: self.device.signing_public_key,
            created_at: now.into(),
            last_seen_at: None,
        })
    }
}
