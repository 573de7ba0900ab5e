//! Keys in the form in which the relay stores and hands them out.

use assent_relay_api::{
    model,
    operations::{accounts::NewDevice, agents::NewAgentKeys, keys::NewPrekeys},
    value::{Name, PrekeyId},
};
use assent_sealing::{
    Endpoint, KEM_KEY_BYTES, KemPrekey, Layers, OneTimePrekey, Peer, PrekeyBundle, Prekeys,
    PublicKeys, SignedPrekey,
};

use crate::{MailboxError, OwnState};

impl OwnState {
    /// The request that registers a device with the own keys.
    ///
    /// # Errors
    /// If the stored keys are damaged.
    pub fn new_device(&self, name: Name) -> Result<NewDevice, MailboxError> {
        Ok(NewDevice {
            public_key: self.keys.identity.into(),
            signing_public_key: self.keys.signing.into(),
            kem_prekey: write_kem_prekey(&self.prekeys.kem_prekey)?,
            name,
        })
    }

    /// The request that registers the own keys as those of an agent.
    ///
    /// # Errors
    /// If the stored keys are damaged.
    pub fn new_agent_keys(&self) -> Result<NewAgentKeys, MailboxError> {
        let prekeys = write_prekeys(&self.prekeys)?;
        Ok(NewAgentKeys {
            public_key: self.keys.identity.into(),
            signing_public_key: self.keys.signing.into(),
            signed_prekey: prekeys.signed_prekey,
            kem_prekey: write_kem_prekey(&self.prekeys.kem_prekey)?,
            one_time_prekeys: prekeys.one_time_prekeys,
        })
    }
}

/// A device that keeps sessions, with the keys that the relay gives.
#[must_use]
pub fn device_peer(device: &model::DeviceKeys) -> Peer {
    let keys = PublicKeys {
        identity: *device.public_key.as_bytes(),
        signing: *device.signing_public_key.as_bytes(),
    };
    Peer::new(Endpoint::Device(device.device_id), keys, Layers::Full)
}

/// An agent with the keys that the relay gives and these layers.
#[must_use]
pub fn agent_peer(agent: &model::AgentKeys, layers: Layers) -> Peer {
    let keys = PublicKeys {
        identity: *agent.public_key.as_bytes(),
        signing: *agent.signing_public_key.as_bytes(),
    };
    Peer::new(Endpoint::Agent(agent.agent_id), keys, layers)
}

/// Prekeys as the relay takes them.
pub(crate) fn write_prekeys(prekeys: &Prekeys) -> Result<NewPrekeys, MailboxError> {
    let one_time = prekeys.one_time_prekeys.iter().map(|prekey| {
        let public_key = prekey.public_key.into();
        Ok(model::OneTimePrekey { key_id: write_id(&prekey.key_id)?, public_key })
    });
    let one_time = one_time.collect::<Result<Vec<_>, MailboxError>>()?;
    let signed = &prekeys.signed_prekey;
    Ok(NewPrekeys {
        device_id: None,
        signed_prekey: Some(model::SignedPrekey {
            key_id: write_id(&signed.key_id)?,
            public_key: signed.public_key.into(),
            signature: signed.signature.into(),
        }),
        kem_prekey: Some(write_kem_prekey(&prekeys.kem_prekey)?),
        one_time_prekeys: one_time.try_into().map_err(|_| MailboxError::Damaged("prekeys"))?,
    })
}

fn write_kem_prekey(prekey: &KemPrekey) -> Result<model::KemPrekey, MailboxError> {
    let key: [u8; KEM_KEY_BYTES] =
        prekey.public_key.as_slice().try_into().map_err(|_| MailboxError::Damaged("prekeys"))?;
    Ok(model::KemPrekey {
        key_id: write_id(&prekey.key_id)?,
        public_key: key.into(),
        signature: prekey.signature.into(),
    })
}

fn write_id(id: &str) -> Result<PrekeyId, MailboxError> {
    id.to_owned().try_into().map_err(|_| MailboxError::Damaged("prekeys"))
}

/// Prekeys that the relay handed out; `None` if an id is not one of ours. Signatures are checked when a session is
/// set up.
pub(crate) fn read_bundle(bundle: model::PrekeyBundle) -> Option<PrekeyBundle> {
    let signed = bundle.signed_prekey;
    let kem = bundle.kem_prekey;
    let one_time = match bundle.one_time_prekey {
        Some(prekey) => Some(OneTimePrekey {
            key_id: read_id(&prekey.key_id)?,
            public_key: *prekey.public_key.as_bytes(),
        }),
        None => None,
    };
    Some(PrekeyBundle {
        keys: PublicKeys {
            identity: *bundle.identity_key.as_bytes(),
            signing: *bundle.signing_public_key.as_bytes(),
        },
        signed_prekey: SignedPrekey {
            key_id: read_id(&signed.key_id)?,
            public_key: *signed.public_key.as_bytes(),
            signature: *signed.signature.as_bytes(),
        },
        kem_prekey: KemPrekey {
            key_id: read_id(&kem.key_id)?,
            public_key: kem.public_key.as_bytes().to_vec(),
            signature: *kem.signature.as_bytes(),
        },
        one_time_prekey: one_time,
    })
}

fn read_id(id: &PrekeyId) -> Option<String> {
    id.as_text().map(str::to_owned)
}
