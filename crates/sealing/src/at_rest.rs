//! Encryption of what a device or an agent keeps on its disk.
//!
//! ```text
//! sealed = nonce 12 | ciphertext | tag 16
//! ```

use std::fmt;

use aes_gcm::{
    Aes256Gcm, KeyInit,
    aead::{Aead, Nonce, Payload},
};
use assent_ids::Entropy;
use zeroize::Zeroizing;

use crate::random::{Secret, secret};

const NONCE_BYTES: usize = 12;

/// The key under which everything of one data directory is encrypted.
#[derive(Clone)]
pub struct StorageKey(Secret);

/// Stored data was changed, moved, or encrypted under another key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stored data cannot be decrypted: it was changed, or belongs to another key")]
pub struct UnsealError;

impl StorageKey {
    /// A new random key.
    #[must_use]
    pub fn generate(entropy: &dyn Entropy) -> Self {
        Self(secret(entropy))
    }

    /// The key with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: Zeroizing<[u8; 32]>) -> Self {
        Self(bytes)
    }

    /// The bytes of the key.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Encrypts data for one place. Data that is moved to another place does not decrypt there.
    #[must_use]
    pub fn seal(&self, place: &str, data: &[u8], entropy: &dyn Entropy) -> Vec<u8> {
        let mut nonce = [0; NONCE_BYTES];
        entropy.fill(&mut nonce);
        let payload = Payload { msg: data, aad: place.as_bytes() };
        #[expect(clippy::expect_used, reason = "rows are far below the limit of AES-GCM")]
        let ciphertext =
            self.cipher().encrypt(&Nonce::<Aes256Gcm>::from(nonce), payload).expect("64 GiB");
        [&nonce[..], &ciphertext].concat()
    }

    /// Decrypts what [`Self::seal`] made for the same place.
    ///
    /// # Errors
    /// If it was changed, moved, or encrypted under another key.
    pub fn unseal(&self, place: &str, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, UnsealError> {
        let (nonce, ciphertext) = sealed.split_first_chunk::<NONCE_BYTES>().ok_or(UnsealError)?;
        let payload = Payload { msg: ciphertext, aad: place.as_bytes() };
        let opened = self.cipher().decrypt(&Nonce::<Aes256Gcm>::from(*nonce), payload);
        opened.map(Zeroizing::new).map_err(|_| UnsealError)
    }

    fn cipher(&self) -> Aes256Gcm {
        Aes256Gcm::new((&*self.0).into())
    }
}

impl fmt::Debug for StorageKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StorageKey(…)")
    }
}
