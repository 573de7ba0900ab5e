//! Ed25519 signatures, verified strictly.

use ed25519_dalek::{Signature, VerifyingKey};

/// The length of a signature.
pub(crate) const SIGNATURE_BYTES: usize = 64;

/// Returns `true` if the signature is valid. Small-order keys and non-canonical encodings never verify.
#[must_use]
pub fn verify_signature(key: &[u8; 32], message: &[u8], signature: &[u8; SIGNATURE_BYTES]) -> bool {
    let Ok(key) = VerifyingKey::from_bytes(key) else { return false };
    key.verify_strict(message, &Signature::from_bytes(signature)).is_ok()
}
