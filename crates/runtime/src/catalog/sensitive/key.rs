//! The key with which sensitive values are digested. Without one, a PIN or a birthday could be guessed
//! from its digest.

use std::fmt;

use assent_json::{Digest, Json};
use serde_json::Value;

/// The prefix of the text that replaces a sensitive value; a keyed digest follows.
pub const MASK: &str = "redacted:sha256:";

/// The block length of SHA-256.
const BLOCK: usize = 64;

/// 32 secret bytes. Equal values have equal digests under the same key.
#[derive(Clone)]
pub struct RedactionKey([u8; 32]);

impl RedactionKey {
    /// The key with these bytes, which have to be random.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// HMAC-SHA-256 (RFC 2104) of a message.
    #[must_use]
    pub fn digest(&self, message: &[u8]) -> Digest {
        let inner = Digest::of(&[&self.pad(0x36), message].concat());
        Digest::of(&[self.pad(0x5c), inner.as_bytes().to_vec()].concat())
    }

    /// The text that replaces a value.
    pub(super) fn stand_in(&self, value: &Value) -> String {
        // Equal values have one canonical form, however they were written.
        let canonical = Json::from_value(value).map(|json| json.root().canonical());
        let message = canonical.unwrap_or_else(|_| value.to_string().into_bytes());
        format!("{MASK}{}", self.digest(&message))
    }

    fn pad(&self, byte: u8) -> Vec<u8> {
        let mut block = vec![byte; BLOCK];
        block.iter_mut().zip(self.0).for_each(|(pad, key)| *pad ^= key);
        block
    }
}

impl fmt::Debug for RedactionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RedactionKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::RedactionKey;

    /// RFC 4231, test cases 1 and 2: shorter keys are those with zeros behind.
    #[test]
    fn published_vectors_hold() {
        let key = |bytes: &[u8]| {
            let mut key = [0; 32];
            key[..bytes.len()].copy_from_slice(bytes);
            RedactionKey::new(key)
        };
        assert_eq!(
            key(&[0x0b; 20]).digest(b"Hi There").to_string(),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        );
        assert_eq!(
            key(b"Jefe").digest(b"what do ya want for nothing?").to_string(),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn a_debug_print_does_not_show_the_key() {
        assert_eq!(format!("{:?}", RedactionKey::new([7; 32])), "RedactionKey(…)");
    }
}
