//! The post-quantum part: secrets wrapped for an X-Wing key with HPKE.
//!
//! ```text
//! wrap = key id 8 | encapsulated key 1120 | encrypted secret 48
//! ```

use assent_ids::{Entropy, UnixMillis};
use hpke::{
    Deserializable, Kem, OpModeR, OpModeS, Serializable, aead::AesGcm256, kdf::HkdfSha256,
    kem::XWing, single_shot_open, single_shot_seal_with_rng,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::random::{EntropyRng, Secret, secret};

/// The length of an X-Wing public key.
pub const KEM_KEY_BYTES: usize = 1216;

/// The length of a key id: the first bytes of the SHA-256 of the public key.
pub(crate) const KEY_ID_BYTES: usize = 8;

const ENCAPSULATED_BYTES: usize = 1120;

/// The length of a wrapped secret.
pub(crate) const WRAP_BYTES: usize = KEY_ID_BYTES + ENCAPSULATED_BYTES + 48;

/// The id of a public key.
pub(crate) fn key_id(public_key: &[u8]) -> [u8; KEY_ID_BYTES] {
    let digest: [u8; 32] = Sha256::digest(public_key).into();
    let mut id = [0; KEY_ID_BYTES];
    id.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
    id
}

/// Our own X-Wing key.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct KemKeyPair {
    seed: Secret,
    pub(crate) created_at: u64,
}

/// A wrapped secret could not be read.
#[derive(Debug)]
pub(crate) struct WrapError;

impl KemKeyPair {
    pub(crate) fn generate(entropy: &dyn Entropy, now: UnixMillis) -> Self {
        Self { seed: secret(entropy), created_at: now.get() }
    }

    fn private_key(&self) -> Result<<XWing as Kem>::PrivateKey, WrapError> {
        <XWing as Kem>::PrivateKey::from_bytes(&*self.seed).map_err(|_| WrapError)
    }

    /// The key that is published.
    pub(crate) fn public_key(&self) -> Vec<u8> {
        let key = self.private_key().map(|key| XWing::sk_to_pk(&key).to_bytes().to_vec());
        // A seed of 32 bytes always gives a key.
        key.unwrap_or_default()
    }

    /// Reads a secret that was wrapped for this key.
    pub(crate) fn unwrap_secret(
        &self,
        wrapped: &[u8; WRAP_BYTES],
        info: &[u8],
    ) -> Result<Secret, WrapError> {
        let (_, rest) = wrapped.split_at(KEY_ID_BYTES);
        let (encapsulated, ciphertext) = rest.split_at(ENCAPSULATED_BYTES);
        let encapsulated =
            <XWing as Kem>::EncappedKey::from_bytes(encapsulated).map_err(|_| WrapError)?;
        let opened = single_shot_open::<AesGcm256, HkdfSha256, XWing>(
            &OpModeR::Base,
            &self.private_key()?,
            &encapsulated,
            info,
            ciphertext,
            &[],
        );
        let opened = Zeroizing::new(opened.map_err(|_| WrapError)?);
        Ok(Zeroizing::new(opened.as_slice().try_into().map_err(|_| WrapError)?))
    }
}

/// The id of the key that a secret was wrapped for.
pub(crate) fn wrapped_for(wrapped: &[u8; WRAP_BYTES]) -> [u8; KEY_ID_BYTES] {
    let mut id = [0; KEY_ID_BYTES];
    id.iter_mut().zip(wrapped).for_each(|(to, from)| *to = *from);
    id
}

/// Wraps a secret for the owner of a public key.
pub(crate) fn wrap_secret(
    public_key: &[u8],
    secret: &Secret,
    info: &[u8],
    entropy: &dyn Entropy,
) -> Result<Vec<u8>, WrapError> {
    let key = <XWing as Kem>::PublicKey::from_bytes(public_key).map_err(|_| WrapError)?;
    let (encapsulated, ciphertext) = single_shot_seal_with_rng::<AesGcm256, HkdfSha256, XWing>(
        &OpModeS::Base,
        &key,
        info,
        &**secret,
        &[],
        &mut EntropyRng(entropy),
    )
    .map_err(|_| WrapError)?;
    Ok([&key_id(public_key)[..], &encapsulated.to_bytes(), &ciphertext].concat())
}

/// Whether these bytes are an X-Wing public key.
pub(crate) fn is_public_key(bytes: &[u8]) -> bool {
    <XWing as Kem>::PublicKey::from_bytes(bytes).is_ok()
}
