//! Secrets that sender and receiver share.

use std::{fmt, str::FromStr};

use assent_ids::Entropy;
use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use zeroize::Zeroizing;

/// The prefix of a secret, by which people and scanners recognize it.
const PREFIX: &str = "whsec_";
/// The fewest bytes of a secret.
const MIN: usize = 24;
/// The most bytes of a secret: a block of SHA-256.
const MAX: usize = 64;
/// The length of a generated secret, in bytes: that of the signature.
const GENERATED: usize = 32;

/// Secrets that people copy often lack the padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The text is not a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a secret must be `{PREFIX}` and the base64 of {MIN} to {MAX} bytes")]
pub struct SecretError;

/// A secret that sender and receiver share. It is erased when it is dropped, and `Debug` does not show it.
#[derive(Clone)]
pub struct Secret {
    /// The key, padded with zeros to the block size of HMAC.
    block: Zeroizing<[u8; MAX]>,
    length: usize,
}

impl Secret {
    /// Generates a secret.
    #[must_use]
    pub fn generate(entropy: &dyn Entropy) -> Self {
        let mut block = Zeroizing::new([0; MAX]);
        let (secret, _) = block.split_at_mut(GENERATED);
        entropy.fill(secret);
        Self { block, length: GENERATED }
    }

    /// Returns the secret as text.
    #[must_use]
    pub fn expose(&self) -> Zeroizing<String> {
        let (secret, _) = self.block.split_at(self.length);
        let mut text = Zeroizing::new(String::with_capacity(PREFIX.len() + MAX * 2));
        text.push_str(PREFIX);
        BASE64.encode_string(secret, &mut text);
        text
    }

    /// The key of the signature.
    pub(super) fn block(&self) -> &[u8; MAX] {
        &self.block
    }
}

/// Parses a secret. The prefix and the padding are optional.
impl FromStr for Secret {
    type Err = SecretError;

    fn from_str(text: &str) -> Result<Self, SecretError> {
        let encoded = text.strip_prefix(PREFIX).unwrap_or(text);
        // The decoder needs space for whole groups of four characters.
        let mut decoded = Zeroizing::new([0; MAX + 2]);
        let length = BASE64.decode_slice(encoded, &mut *decoded).map_err(|_| SecretError)?;
        let bytes = decoded.get(..length).filter(|bytes| (MIN..=MAX).contains(&bytes.len()));
        let mut block = Zeroizing::new([0; MAX]);
        for (to, from) in block.iter_mut().zip(bytes.ok_or(SecretError)?) {
            *to = *from;
        }
        Ok(Self { block, length })
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine;

    use super::{BASE64, Secret};

    #[test]
    fn a_secret_has_24_to_64_bytes() {
        for length in 0..200 {
            let text = format!("whsec_{}", BASE64.encode(vec![7; length]));
            let is_secret = (24..=64).contains(&length);
            for spelling in
                [text.as_str(), text.trim_end_matches('='), text.trim_start_matches("whsec_")]
            {
                assert_eq!(spelling.parse::<Secret>().is_ok(), is_secret, "{length}");
            }
        }
        for text in [
            "",
            "whsec_",
            "whsec_not base64!",
            "planted",
            "whsec_whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        ] {
            assert!(text.parse::<Secret>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_secret_is_shown_only_when_asked_for() {
        for length in 24..=64 {
            let text = format!("whsec_{}", BASE64.encode(vec![0xfb; length]));
            let secret: Secret = text.parse().unwrap();
            assert_eq!(*secret.expose(), text);
            assert_eq!(format!("{secret:?}"), "Secret(…)");
        }
    }

    #[test]
    fn a_new_secret_is_32_bytes_of_the_random_source() {
        let entropy = assent_ids::deterministic::SeededEntropy::new(7);
        let [one, other] = [(); 2].map(|()| Secret::generate(&entropy).expose());
        assert_ne!(*one, *other);
        assert_eq!(one.len(), "whsec_".len() + 44);
        assert_eq!(*one.parse::<Secret>().unwrap().expose(), *one);
    }
}
