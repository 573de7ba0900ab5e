//! Messages that are signed.

use assent_ids::UnixMillis;
use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, HeaderValue};
use sha2::Sha256;

use super::{ID, MAX_SIGNATURES, SIGNATURE, Secret, TIMESTAMP, VERSION};

/// The longest id.
pub const MAX_ID_BYTES: usize = 256;

/// The id of a message is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the id of a message must be 1 to {MAX_ID_BYTES} visible ASCII characters without a full stop"
)]
pub struct MessageError;

/// Why a message cannot be signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SignError {
    /// There is no secret, or there are more than receivers check.
    #[error("a message is signed with 1 to {MAX_SIGNATURES} secrets, not with {0}")]
    Secrets(usize),
    /// The values do not fit a header.
    #[error("the signature is not one that a header can hold")]
    Header(#[from] MessageError),
}

/// A message with its id and the time at which it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message<'a> {
    id: &'a str,
    seconds: u64,
    body: &'a [u8],
}

impl<'a> Message<'a> {
    /// Creates a message. A retry has the same id and a new time.
    ///
    /// # Errors
    /// If the id is too long, or contains the period that separates it from the time.
    pub fn new(id: &'a str, sent: UnixMillis, body: &'a [u8]) -> Result<Self, MessageError> {
        let is_id = (1..=MAX_ID_BYTES).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'.');
        if is_id { Ok(Self { id, seconds: sent.get() / 1000, body }) } else { Err(MessageError) }
    }

    /// Returns the id, by which receivers recognize a repeated message.
    #[must_use]
    pub fn id(&self) -> &'a str {
        self.id
    }

    /// Returns the time of sending, in whole seconds.
    #[must_use]
    pub fn sent(&self) -> UnixMillis {
        UnixMillis::new(self.seconds.saturating_mul(1000))
    }

    /// Returns the body.
    #[must_use]
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    /// Returns the three headers for the body. While a secret is replaced, pass the old one as well.
    ///
    /// # Errors
    /// If there are no secrets, or too many.
    pub fn sign(&self, secrets: &[&Secret]) -> Result<HeaderMap, SignError> {
        if !(1..=MAX_SIGNATURES).contains(&secrets.len()) {
            return Err(SignError::Secrets(secrets.len()));
        }
        let signatures: Vec<String> = secrets
            .iter()
            .map(|secret| self.mac(secret).finalize().into_bytes())
            .map(|tag| format!("{VERSION}{}", STANDARD.encode(tag)))
            .collect();
        let value = |text: &str| HeaderValue::from_str(text).map_err(|_| MessageError);
        Ok(HeaderMap::from_iter([
            (ID, value(self.id)?),
            (TIMESTAMP, HeaderValue::from(self.seconds)),
            (SIGNATURE, value(&signatures.join(" "))?),
        ]))
    }

    /// Starts the signature with this secret.
    pub(super) fn mac(&self, secret: &Secret) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new(secret.block().into());
        mac.update(format!("{}.{}.", self.id, self.seconds).as_bytes());
        mac.update(self.body);
        mac
    }
}
