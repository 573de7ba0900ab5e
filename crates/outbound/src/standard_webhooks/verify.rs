//! Verifies the signature and the time of a message.

use std::time::Duration;

use assent_ids::UnixMillis;
use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::Mac;
use http::{HeaderMap, HeaderName};

use super::{ID, Message, SIGNATURE, Secret, TIMESTAMP, VERSION};

/// The largest difference between the time of a message and the current time.
pub const TOLERANCE: Duration = Duration::from_secs(300);
/// The most signatures of a message that are checked.
pub const MAX_SIGNATURES: usize = 16;

/// Why a message is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A header is missing, repeated, or not text.
    #[error("the header `{0}` must be there once, as text")]
    Header(HeaderName),
    /// The id is not valid.
    #[error("the header `{ID}` holds no id of a message")]
    Id,
    /// The time is not valid.
    #[error("the header `{TIMESTAMP}` must be a number of seconds")]
    Timestamp,
    /// The message is too old: it may be a replay.
    #[error("the message is older than {} s", TOLERANCE.as_secs())]
    TooOld,
    /// The message is from the future.
    #[error("the message was sent more than {} s from now; check both clocks", TOLERANCE.as_secs())]
    TooNew,
    /// No signature matches.
    #[error("no signature fits")]
    Signature,
}

/// Verifies that a message was signed with one of these secrets within [`TOLERANCE`].
///
/// The same message can arrive again within that time: a receiver that must not act twice has to remember
/// [`Message::id`].
///
/// # Errors
/// If the message is not authentic, or the headers are not valid.
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

/// Returns the only value of a header. A repeated header is ambiguous.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<&'h str, VerifyError> {
    let mut values = headers.get_all(name).iter();
    match (values.next().map(|value| value.to_str()), values.next()) {
        (Some(Ok(value)), None) => Ok(value),
        _ => Err(VerifyError::Header(name.clone())),
    }
}

/// Parses a time: digits without leading zeros, within range.
fn seconds(text: &str) -> Option<UnixMillis> {
    let seconds: u64 = text.parse().ok()?;
    let is_plain = seconds.to_string() == text;
    let sent = UnixMillis::new(seconds.checked_mul(1000)?);
    (is_plain && sent < UnixMillis::MAX).then_some(sent)
}

fn check_time(sent: UnixMillis, now: UnixMillis) -> Result<(), VerifyError> {
    // The message has only whole seconds.
    let now = UnixMillis::new(now.get() / 1000 * 1000);
    if now.since(sent) > TOLERANCE {
        return Err(VerifyError::TooOld);
    }
    if sent.since(now) > TOLERANCE {
        return Err(VerifyError::TooNew);
    }
    Ok(())
}

/// Returns the bytes of a signature with a shared secret; other kinds are ignored.
fn tag(signature: &str) -> Option<Vec<u8>> {
    STANDARD.decode(signature.strip_prefix(VERSION)?).ok()
}

/// Returns `true` if one of these is the signature with this secret. The body is hashed once; signatures are
/// compared in constant time.
fn fits(message: &Message<'_>, secret: &Secret, tags: &[Vec<u8>]) -> bool {
    let mac = message.mac(secret);
    tags.iter().any(|tag| mac.clone().verify_slice(tag).is_ok())
}
