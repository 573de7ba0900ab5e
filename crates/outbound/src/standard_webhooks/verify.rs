//! Whether a message comes from somebody who knows the secret, and comes now.

use std::time::Duration;

use assent_ids::UnixMillis;
use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::Mac;
use http::{HeaderMap, HeaderName};

use super::{ID, Message, SIGNATURE, Secret, TIMESTAMP, VERSION};

/// How far the time of a message may lie from ours, both ways.
pub const TOLERANCE: Duration = Duration::from_secs(300);
/// So many signatures of a message are looked at.
pub const MAX_SIGNATURES: usize = 16;

/// Why a message is not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A header is missing, is there twice, or is not text.
    #[error("the header `{0}` must be there once, as text")]
    Header(HeaderName),
    /// The id is none.
    #[error("the header `{ID}` holds no id of a message")]
    Id,
    /// The time is none.
    #[error("the header `{TIMESTAMP}` must be a number of seconds")]
    Timestamp,
    /// The message is too old: somebody may be sending it a second time.
    #[error("the message is older than {} s", TOLERANCE.as_secs())]
    TooOld,
    /// The message is from the future.
    #[error("the message was sent more than {} s from now; check both clocks", TOLERANCE.as_secs())]
    TooNew,
    /// No signature is one with a secret of ours.
    #[error("no signature fits")]
    Signature,
}

/// Verifies that a message was signed with one of these secrets, not longer than [`TOLERANCE`] ago.
///
/// Within that time the same message can arrive again: whoever must not act twice remembers
/// [`Message::id`].
///
/// # Errors
/// If it was not, or cannot be judged.
pub fn verify<'a>(
    headers: &'a HeaderMap,
    body: &'a [u8],
    secrets: &[&Secret],
    now: UnixMillis,
) -> Result<Message<'a>, VerifyError> {
    let (id, timestamp) = (only(headers, &ID)?, only(headers, &TIMESTAMP)?);
    let signatures = only(headers, &SIGNATURE)?;
    let sent = seconds(timestamp).ok_or(VerifyError::Timestamp)?;
    let message = Message::new(id, sent, body).map_err(|_| VerifyError::Id)?;
    check_time(message.sent(), now)?;
    let tags: Vec<_> = signatures.split(' ').take(MAX_SIGNATURES).filter_map(tag).collect();
    let is_ours = secrets.iter().any(|secret| fits(&message, secret, &tags));
    if is_ours { Ok(message) } else { Err(VerifyError::Signature) }
}

/// The one value of a header. Of two, readers would believe different ones.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<&'h str, VerifyError> {
    let mut values = headers.get_all(name).iter();
    match (values.next().map(|value| value.to_str()), values.next()) {
        (Some(Ok(value)), None) => Ok(value),
        _ => Err(VerifyError::Header(name.clone())),
    }
}

/// A time in its one spelling: digits without zeros in front, and not beyond what we can count.
fn seconds(text: &str) -> Option<UnixMillis> {
    let seconds: u64 = text.parse().ok()?;
    let is_plain = seconds.to_string() == text;
    let sent = UnixMillis::new(seconds.checked_mul(1000)?);
    (is_plain && sent < UnixMillis::MAX).then_some(sent)
}

fn check_time(sent: UnixMillis, now: UnixMillis) -> Result<(), VerifyError> {
    // Both in whole seconds, because that is all that the sender said.
    let now = UnixMillis::new(now.get() / 1000 * 1000);
    if now.since(sent) > TOLERANCE {
        return Err(VerifyError::TooOld);
    }
    if sent.since(now) > TOLERANCE {
        return Err(VerifyError::TooNew);
    }
    Ok(())
}

/// The bytes of a signature with a shared secret; those of other kinds are not for us.
fn tag(signature: &str) -> Option<Vec<u8>> {
    STANDARD.decode(signature.strip_prefix(VERSION)?).ok()
}

/// Whether one of these is the signature with this secret. A body is hashed once, however many there are;
/// each is compared in constant time, because how much of a guess was right must not show.
fn fits(message: &Message<'_>, secret: &Secret, tags: &[Vec<u8>]) -> bool {
    let mac = message.mac(secret);
    tags.iter().any(|tag| mac.clone().verify_slice(tag).is_ok())
}
