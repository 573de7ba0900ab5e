//! Signatures in the form of Standard Webhooks: HMAC-SHA-256 over `id.timestamp.body`.

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

/// How a secret may begin, so that people and scanners recognise it.
const PREFIX: &str = "whsec_";
/// The bytes of a key.
const LENGTH: std::ops::RangeInclusive<usize> = 24..=64;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Why a moment cannot be signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SignError {
    #[error("its `signing_secret` must be `whsec_` and the base64 of 24 to 64 bytes")]
    Key,
    #[error("its signature is not one that a header can hold")]
    Header,
}

/// A key for signatures.
pub(super) struct SigningKey(Zeroizing<Vec<u8>>);

impl SigningKey {
    pub(super) fn parse(text: &str) -> Result<Self, SignError> {
        let encoded = text.strip_prefix(PREFIX).unwrap_or(text);
        let bytes = Zeroizing::new(BASE64.decode(encoded).map_err(|_| SignError::Key)?);
        if LENGTH.contains(&bytes.len()) { Ok(Self(bytes)) } else { Err(SignError::Key) }
    }

    /// The value of the header `webhook-signature`.
    pub(super) fn sign(&self, id: &str, seconds: u64, body: &[u8]) -> Result<String, SignError> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).map_err(|_| SignError::Key)?;
        mac.update(format!("{id}.{seconds}.").as_bytes());
        mac.update(body);
        Ok(format!("v1,{}", BASE64.encode(mac.finalize().into_bytes())))
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine;

    use super::{BASE64, SigningKey};

    /// From the tests of the published Python and Rust libraries.
    #[test]
    fn published_signatures_hold() {
        for (secret, id, seconds, body, expected) in [
            (
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                1_614_265_330,
                r#"{"test": 2432232314}"#,
                "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            ),
            (
                "C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
                "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk",
                1_649_367_553,
                r#"{"email":"test@example.com","username":"test_user"}"#,
                "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=",
            ),
        ] {
            let key = SigningKey::parse(secret).unwrap();
            assert_eq!(key.sign(id, seconds, body.as_bytes()).unwrap(), expected);
        }
    }

    #[test]
    fn a_key_has_24_to_64_bytes() {
        for (length, is_key) in [(23, false), (24, true), (25, true), (64, true), (65, false)] {
            let text = format!("whsec_{}", BASE64.encode(vec![7; length]));
            assert_eq!(SigningKey::parse(&text).is_ok(), is_key, "{length}");
            assert_eq!(SigningKey::parse(text.trim_end_matches('=')).is_ok(), is_key, "{length}");
        }
        for text in ["", "whsec_", "whsec_not base64!", "planted"] {
            assert!(SigningKey::parse(text).is_err(), "{text}");
        }
    }
}
