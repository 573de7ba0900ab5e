//! Entries with their signatures.

use assent_json::ReadError;
use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::LedgerEntry;
use crate::value::{PublicKey, Signature};

/// An entry and the signature of the device that it names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SignedEntry {
    /// What is stated.
    pub entry: LedgerEntry,
    /// Ed25519 over the RFC 8785 bytes of `entry`.
    pub signature: Signature,
}

/// An entry as the relay gives it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerRecord {
    /// What is stated.
    pub entry: LedgerEntry,
    /// Ed25519 over the RFC 8785 bytes of `entry`.
    pub signature: Signature,
    /// The key of the device that signed it, which may be gone by now. A reader that knows the device compares
    /// it with what it knows.
    pub signing_public_key: PublicKey,
}

/// Why a signature does not count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SignatureError {
    /// The key is no point of the curve, or a weak one, for which signatures can be forged.
    #[error("the signing key is not a usable Ed25519 key")]
    Key,
    /// The signature was made with another key, or over another entry.
    #[error("the signature is not one of this key over this entry")]
    Signature,
    /// The entry has no canonical form.
    #[error("the entry has no canonical form: {0}")]
    NotCanonical(#[from] ReadError),
}

impl SignedEntry {
    /// Signs an entry: for devices, and for tests.
    ///
    /// # Errors
    /// If the entry has no canonical form.
    pub fn sign(entry: LedgerEntry, key: &SigningKey) -> Result<Self, SignatureError> {
        let signature = Signature::from(key.sign(&entry.canonical_bytes()?).to_bytes());
        Ok(Self { entry, signature })
    }

    /// Whether the holder of `key` signed exactly this entry. Strict: a signature has one spelling, and keys of
    /// small order, for which one signature fits every text, are refused.
    ///
    /// # Errors
    /// If the key, the entry or the signature is not good.
    pub fn verify(&self, key: &PublicKey) -> Result<(), SignatureError> {
        verify(&self.entry, &self.signature, key)
    }
}

impl LedgerRecord {
    /// Whether the signature is one of `signing_public_key` over the entry.
    ///
    /// # Errors
    /// As for [`SignedEntry::verify`].
    pub fn verify(&self) -> Result<(), SignatureError> {
        verify(&self.entry, &self.signature, &self.signing_public_key)
    }
}

fn verify(
    entry: &LedgerEntry,
    signature: &Signature,
    key: &PublicKey,
) -> Result<(), SignatureError> {
    verify_bytes(&entry.canonical_bytes()?, signature, key)
}

fn verify_bytes(
    bytes: &[u8],
    signature: &Signature,
    key: &PublicKey,
) -> Result<(), SignatureError> {
    let key = VerifyingKey::from_bytes(key.as_bytes()).map_err(|_| SignatureError::Key)?;
    if key.is_weak() {
        return Err(SignatureError::Key);
    }
    let signature = ed25519_dalek::Signature::from_bytes(signature.as_bytes());
    key.verify_strict(bytes, &signature).map_err(|_| SignatureError::Signature)
}

impl PublicKey {
    /// Whether it can be a key for signatures: a point of the curve that is not of small order. The relay asks
    /// this before it registers a `signing_public_key`.
    #[must_use]
    pub fn can_sign(&self) -> bool {
        VerifyingKey::from_bytes(self.as_bytes()).is_ok_and(|key| !key.is_weak())
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::verify_bytes;

    #[derive(Deserialize)]
    struct Case {
        message: String,
        pub_key: String,
        signature: String,
    }

    fn bytes(hex: &str) -> Vec<u8> {
        let (pairs, _) = hex.as_bytes().as_chunks::<2>();
        let byte = |pair: &[u8; 2]| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
        pairs.iter().map(byte).collect()
    }

    #[test]
    fn of_the_signatures_at_the_edges_only_the_unambiguous_one_counts() {
        let path = "tests/data/ed25519-speccheck/cases.json";
        let cases: Vec<Case> =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let accepted: Vec<bool> = cases
            .iter()
            .map(|case| {
                let key: [u8; 32] = bytes(&case.pub_key).try_into().unwrap();
                let signature: [u8; 64] = bytes(&case.signature).try_into().unwrap();
                verify_bytes(&bytes(&case.message), &signature.into(), &key.into()).is_ok()
            })
            .collect();
        let expected: Vec<bool> = (0..12).map(|case| case == 3).collect();
        assert_eq!(accepted, expected);
    }
}
