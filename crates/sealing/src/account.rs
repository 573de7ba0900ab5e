//! The keys of this device or agent.

use std::{fmt, time::Duration};

use assent_ids::{Entropy, UnixMillis};
use serde::{Deserialize, Serialize};
use vodozemac::{
    Curve25519PublicKey,
    olm::{self, AccountPickle},
};
use zeroize::Zeroizing;

use crate::{
    PublicKeys,
    bundle::kem_message,
    kem::{KEY_ID_BYTES, KemKeyPair, key_id},
    signature::SIGNATURE_BYTES,
};

/// Prekeys that serve many times are replaced after this long …
const ROTATION_PERIOD: Duration = Duration::from_hours(7 * 24);

/// … or after this long, if the signed prekey was used in place of a one-time prekey.
const ROTATION_PERIOD_AFTER_USE: Duration = Duration::from_hours(24);

/// How many one-time prekeys are kept at the relay.
const ONE_TIME_PREKEYS: usize = 50;

/// One-time prekeys are refilled when fewer than these are left.
const REFILL_BELOW: usize = 20;

/// The identity of this device or agent: an Olm account and an X-Wing key.
pub struct Account {
    olm: olm::Account,
    signed_prekey: SignedPrekeyState,
    kem: KemKeyPair,
    previous_kem: Option<KemKeyPair>,
}

/// What is known about the signed prekey, whose secret is in the Olm account.
#[derive(Clone, Serialize, Deserialize)]
struct SignedPrekeyState {
    public_key: [u8; 32],
    created_at: u64,
    was_used: bool,
}

/// An account as it is stored.
#[derive(Serialize, Deserialize)]
struct StoredAccount {
    olm: AccountPickle,
    signed_prekey: SignedPrekeyState,
    kem: KemKeyPair,
    previous_kem: Option<KemKeyPair>,
}

/// Stored state could not be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stored keys are damaged")]
pub struct PickleError;

/// A prekey that serves many times, signed by its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedPrekey {
    /// The key itself, as unpadded base64.
    pub key_id: String,
    /// The Curve25519 key.
    pub public_key: [u8; 32],
    /// The owner's signature over the key.
    pub signature: [u8; SIGNATURE_BYTES],
}

/// The post-quantum prekey, signed by its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KemPrekey {
    /// The hexadecimal form of the first 8 bytes of its SHA-256.
    pub key_id: String,
    /// The X-Wing key, [`KEM_KEY_BYTES`](crate::KEM_KEY_BYTES) long.
    pub public_key: Vec<u8>,
    /// The owner's signature over the key with its label.
    pub signature: [u8; SIGNATURE_BYTES],
}

/// A prekey that is handed out once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneTimePrekey {
    /// The key itself, as unpadded base64.
    pub key_id: String,
    /// The Curve25519 key.
    pub public_key: [u8; 32],
}

/// The prekeys to publish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prekeys {
    /// The key that serves if no one-time prekey is left.
    pub signed_prekey: SignedPrekey,
    /// The post-quantum key.
    pub kem_prekey: KemPrekey,
    /// One-time prekeys that the relay does not have yet.
    pub one_time_prekeys: Vec<OneTimePrekey>,
}

impl Account {
    /// A new identity with its first prekeys.
    #[must_use]
    pub fn generate(now: UnixMillis, entropy: &dyn Entropy) -> Self {
        let mut olm = olm::Account::new();
        let signed_prekey = SignedPrekeyState::generate(&mut olm, now);
        olm.generate_one_time_keys(ONE_TIME_PREKEYS);
        Self { olm, signed_prekey, kem: KemKeyPair::generate(entropy, now), previous_kem: None }
    }

    /// The public identity keys.
    #[must_use]
    pub fn public_keys(&self) -> PublicKeys {
        PublicKeys {
            identity: self.olm.curve25519_key().to_bytes(),
            signing: *self.olm.ed25519_key().as_bytes(),
        }
    }

    /// Signs with the identity's Ed25519 key. Callers prefix a label of their own, so that no signature can
    /// be taken for another.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> [u8; SIGNATURE_BYTES] {
        self.olm.sign(message).to_bytes()
    }

    /// Makes one-time prekeys if the relay has few. They are part of [`Self::prekeys`] until they are
    /// [marked as published](Self::mark_prekeys_published). Returns whether there is anything to publish.
    pub fn refill_one_time_prekeys(&mut self, left_at_relay: usize) -> bool {
        let unpublished = self.olm.one_time_keys().len();
        if left_at_relay < REFILL_BELOW {
            let wanted = ONE_TIME_PREKEYS.saturating_sub(left_at_relay);
            self.olm.generate_one_time_keys(wanted.saturating_sub(unpublished));
        }
        !self.olm.one_time_keys().is_empty()
    }

    /// Replaces the prekeys that serve many times, if they are due. Returns whether they were replaced and
    /// have to be published. Called once every waiting message has been read: the keys before the current
    /// ones are forgotten.
    pub fn rotate_prekeys(&mut self, now: UnixMillis, entropy: &dyn Entropy) -> bool {
        let signed = &self.signed_prekey;
        let period = if signed.was_used { ROTATION_PERIOD_AFTER_USE } else { ROTATION_PERIOD };
        if now.since(UnixMillis::new(signed.created_at)) < period {
            return false;
        }
        self.signed_prekey = SignedPrekeyState::generate(&mut self.olm, now);
        let kem = KemKeyPair::generate(entropy, now);
        self.previous_kem = Some(std::mem::replace(&mut self.kem, kem));
        true
    }

    /// The prekeys to publish: the current ones, and the one-time prekeys that were not published yet.
    #[must_use]
    pub fn prekeys(&self) -> Prekeys {
        let public_key = self.signed_prekey.public_key;
        let kem_key = self.kem.public_key();
        let mut one_time: Vec<_> =
            self.olm.one_time_keys().into_values().map(OneTimePrekey::from).collect();
        one_time.sort_by(|a, b| a.key_id.cmp(&b.key_id));
        Prekeys {
            signed_prekey: SignedPrekey {
                key_id: Curve25519PublicKey::from_bytes(public_key).to_base64(),
                public_key,
                signature: self.sign(&public_key),
            },
            kem_prekey: KemPrekey {
                key_id: hex(&key_id(&kem_key)),
                signature: self.sign(&kem_message(&kem_key)),
                public_key: kem_key,
            },
            one_time_prekeys: one_time,
        }
    }

    /// Records that the relay has all prekeys.
    pub fn mark_prekeys_published(&mut self) {
        self.olm.mark_keys_as_published();
    }

    /// The account as JSON. It contains secrets: the caller encrypts it.
    ///
    /// # Errors
    /// If the state cannot be written as JSON, which does not happen.
    pub fn to_json(&self) -> Result<Zeroizing<Vec<u8>>, PickleError> {
        let stored = StoredAccount {
            olm: self.olm.pickle(),
            signed_prekey: self.signed_prekey.clone(),
            kem: self.kem.clone(),
            previous_kem: self.previous_kem.clone(),
        };
        serde_json::to_vec(&stored).map(Zeroizing::new).map_err(|_| PickleError)
    }

    /// Reads what [`Self::to_json`] wrote.
    ///
    /// # Errors
    /// If these bytes are something else.
    pub fn from_json(bytes: &[u8]) -> Result<Self, PickleError> {
        let stored: StoredAccount = serde_json::from_slice(bytes).map_err(|_| PickleError)?;
        Ok(Self {
            olm: olm::Account::from_pickle(stored.olm),
            signed_prekey: stored.signed_prekey,
            kem: stored.kem,
            previous_kem: stored.previous_kem,
        })
    }

    pub(crate) const fn olm(&self) -> &olm::Account {
        &self.olm
    }

    /// A copy of the Olm account, whose one-time prekeys can be used up without consequences.
    pub(crate) fn copy_of_olm(&self) -> olm::Account {
        olm::Account::from_pickle(self.olm.pickle())
    }

    /// Takes over a copy in which a session was created with `prekey`.
    pub(crate) fn replace_olm(&mut self, olm: olm::Account, prekey: [u8; 32]) {
        self.olm = olm;
        self.signed_prekey.was_used |= self.signed_prekey.public_key == prekey;
    }

    /// The KEM key with this id, if it has not been forgotten.
    pub(crate) fn kem_key(&self, id: [u8; KEY_ID_BYTES]) -> Option<&KemKeyPair> {
        let mut keys = std::iter::once(&self.kem).chain(&self.previous_kem);
        keys.find(|key| key_id(&key.public_key()) == id)
    }
}

impl SignedPrekeyState {
    /// Makes a new fallback key. Olm keeps the one before it and forgets older ones.
    fn generate(olm: &mut olm::Account, now: UnixMillis) -> Self {
        olm.generate_fallback_key();
        let public_key = olm.fallback_key().into_values().next().map(|key| key.to_bytes());
        Self {
            // A key that was just made is not published yet, so Olm returns it.
            public_key: public_key.unwrap_or_default(),
            created_at: now.get(),
            was_used: false,
        }
    }
}

impl From<Curve25519PublicKey> for OneTimePrekey {
    fn from(key: Curve25519PublicKey) -> Self {
        Self { key_id: key.to_base64(), public_key: key.to_bytes() }
    }
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Account").field("keys", &self.public_keys()).finish_non_exhaustive()
    }
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
