//! Prekeys of a peer, as the relay hands them out, and the session that they set up.

use assent_ids::{Entropy, UnixMillis};
use vodozemac::{Curve25519PublicKey, olm::SessionConfig};

use crate::{
    Account, Endpoint, Peer, PublicKeys,
    account::{KemPrekey, OneTimePrekey, SignedPrekey},
    kem::{is_public_key, wrap_secret},
    random::secret,
    session::{Session, session_id, wrap_info},
    signature,
};

/// What it takes to send a first message to a device or an agent.
#[derive(Clone, Debug)]
pub struct PrekeyBundle {
    /// The identity keys of the owner.
    pub keys: PublicKeys,
    /// The key that serves if no one-time prekey is left.
    pub signed_prekey: SignedPrekey,
    /// The post-quantum key.
    pub kem_prekey: KemPrekey,
    /// A key that was handed out to no one else.
    pub one_time_prekey: Option<OneTimePrekey>,
}

/// A session could not be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BundleError {
    /// The identity keys are not those that are pinned.
    #[error("the keys of the other side have changed")]
    KeysChanged,
    /// A prekey is not signed by its owner.
    #[error("a prekey of the other side is not signed by it")]
    BadSignature,
    /// A prekey is not a usable public key.
    #[error("a prekey of the other side is not a usable key")]
    BadKey,
}

impl PrekeyBundle {
    pub(crate) fn start_session(
        &self,
        account: &Account,
        sender: Endpoint,
        peer: &Peer,
        now: UnixMillis,
        entropy: &dyn Entropy,
    ) -> Result<Session, BundleError> {
        self.verify(peer.keys())?;
        let one_time = self.one_time_prekey.as_ref().map(|prekey| prekey.public_key);
        let olm = account.olm().create_outbound_session(
            SessionConfig::version_1(),
            Curve25519PublicKey::from_bytes(self.keys.identity),
            Curve25519PublicKey::from_bytes(one_time.unwrap_or(self.signed_prekey.public_key)),
        );
        let olm = olm.map_err(|_| BundleError::BadKey)?;
        let session_secret = secret(entropy);
        let info = wrap_info(sender, peer.endpoint(), &session_id(&olm.session_keys()));
        let wrap = wrap_secret(&self.kem_prekey.public_key, &session_secret, &info, entropy);
        let wrap = wrap.ok().and_then(|wrap| wrap.try_into().ok()).ok_or(BundleError::BadKey)?;
        Ok(Session::new(olm, session_secret, Some(wrap), now))
    }

    /// Checks that the bundle comes from the owner of the pinned keys. The one-time prekey is not signed:
    /// the signed KEM key protects the session from one that the relay made up.
    fn verify(&self, pinned: &PublicKeys) -> Result<(), BundleError> {
        if self.keys != *pinned {
            return Err(BundleError::KeysChanged);
        }
        let signing = &pinned.signing;
        let SignedPrekey { public_key, signature, .. } = &self.signed_prekey;
        let kem = &self.kem_prekey;
        let is_signed = signature::verify_signature(signing, public_key, signature)
            && signature::verify_signature(signing, &kem_message(&kem.public_key), &kem.signature);
        if !is_signed {
            return Err(BundleError::BadSignature);
        }
        if is_public_key(&kem.public_key) { Ok(()) } else { Err(BundleError::BadKey) }
    }
}

/// What the owner of a KEM key signs.
pub(crate) fn kem_message(public_key: &[u8]) -> Vec<u8> {
    [&b"assent/v1/kem"[..], public_key].concat()
}
