//! Key derivation: one HKDF call gives an AES-256-GCM key and its nonce.
//!
//! Every derived key encrypts exactly one message, so a derived nonce never repeats under a key.

use aes_gcm::{
    Aes256Gcm, KeyInit,
    aead::{Aead, Nonce, Payload},
};
use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::Zeroizing;

const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 12;

/// The length of an AES-256-GCM tag.
pub(crate) const TAG_BYTES: usize = 16;

/// A key and a nonce for one message.
pub(crate) struct DerivedCipher {
    cipher: Aes256Gcm,
    nonce: Nonce<Aes256Gcm>,
}

/// The ciphertext is not what was sealed under this key.
#[derive(Debug)]
pub(crate) struct WrongKey;

impl DerivedCipher {
    /// HKDF-SHA-256 over `ikm`, with the concatenation of `info`.
    pub(crate) fn derive(salt: &[u8; 32], ikm: &[u8; 32], info: &[&[u8]]) -> Self {
        let mut output = Zeroizing::new([0; KEY_BYTES + NONCE_BYTES]);
        let hkdf = Hkdf::<Sha256>::new(Some(salt), ikm);
        #[expect(clippy::expect_used, reason = "44 bytes are far below the limit of HKDF")]
        hkdf.expand_multi_info(info, &mut *output).expect("HKDF gives up to 8160 bytes");
        let (key, nonce) = output.split_at(KEY_BYTES);
        #[expect(clippy::expect_used, reason = "the lengths are constants")]
        let cipher = Aes256Gcm::new_from_slice(key).expect("the key has 32 bytes");
        #[expect(clippy::expect_used, reason = "the lengths are constants")]
        let nonce = Nonce::<Aes256Gcm>::try_from(nonce).expect("the nonce has 12 bytes");
        Self { cipher, nonce }
    }

    /// The ciphertext, followed by its tag.
    pub(crate) fn encrypt(&self, plaintext: &[u8], aad: &[u8]) -> Vec<u8> {
        let payload = Payload { msg: plaintext, aad };
        #[expect(clippy::expect_used, reason = "messages are far below the limit of AES-GCM")]
        self.cipher.encrypt(&self.nonce, payload).expect("AES-GCM takes up to 64 GiB")
    }

    /// The plaintext, if ciphertext and associated data are authentic.
    pub(crate) fn decrypt(
        &self,
        ciphertext: &[u8],
        aad: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, WrongKey> {
        let payload = Payload { msg: ciphertext, aad };
        self.cipher.decrypt(&self.nonce, payload).map(Zeroizing::new).map_err(|_| WrongKey)
    }
}
