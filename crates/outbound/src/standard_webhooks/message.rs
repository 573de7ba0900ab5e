//! What is signed.

use assent_ids::UnixMillis;
use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, HeaderValue};
use sha2::Sha256;

use super::{ID, MAX_SIGNATURES, SIGNATURE, Secret, TIMESTAMP, VERSION};

/// The longest id.
pub const MAX_ID_BYTES: usize = 256;

/// Why there is no such message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the id of a message must be 1 to {MAX_ID_BYTES} visible ASCII characters without a full stop"
)]
pub struct MessageError;

/// Why a message is not signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SignError {
    /// There is no secret, or there are more than receivers look at.
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
    /// A message. The id stays the same when it is sent again, the time does not.
    ///
    /// # Errors
    /// If the id does not fit, or holds the full stop that ends it in what is signed.
    pub fn new(id: &'a str, sent: UnixMillis, body: &'a [u8]) -> Result<Self, MessageError> {
        let is_id = (1..=MAX_ID_BYTES).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'.');
        if is_id { Ok(Self { id, seconds: sent.get() / 1000, body }) } else { Err(MessageError) }
    }

    /// Its id: whoever has seen it before has seen this message before.
    #[must_use]
    pub fn id(&self) -> &'a str {
        self.id
    }

    /// When it was sent, in whole seconds.
    #[must_use]
    pub fn sent(&self) -> UnixMillis {
        UnixMillis::new(self.seconds.saturating_mul(1000))
    }

    /// Its body.
    #[must_use]
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    /// The three headers that go with the body. While a secret is replaced, the old one signs as well.
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

    /// The signature with this secret, not yet finished.
    pub(super) fn mac(&self, secret: &Secret) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new(secret.block().into());
        mac.update(format!("{}.{}.", self.id, self.seconds).as_bytes());
        mac.update(self.body);
        mac
    }
}
