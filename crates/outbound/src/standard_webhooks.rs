//! Signatures as [Standard Webhooks](https://www.standardwebhooks.com) says: HMAC-SHA-256 over
//! `id.timestamp.body`, in headers that any of its libraries can verify.
//!
//! ```
//! use assent_ids::{SystemEntropy, UnixMillis};
//! use assent_outbound::standard_webhooks::{Message, Secret, verify};
//!
//! let now = UnixMillis::new(1_700_000_000_000);
//! let secret = Secret::generate(&SystemEntropy::new()?);
//! let headers = Message::new("msg_1", now, b"{}")?.sign(&[&secret])?;
//! let message = verify(&headers, b"{}", &[&secret], now)?;
//! assert_eq!(message.id(), "msg_1");
//! assert!(verify(&headers, b"[]", &[&secret], now).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod message;
mod secret;
mod verify;

use http::HeaderName;

pub use message::{MAX_ID_BYTES, Message, MessageError, SignError};
pub use secret::{Secret, SecretError};
pub use verify::{MAX_SIGNATURES, TOLERANCE, VerifyError, verify};

/// The header with the id of a message. It stays the same when a message is sent again.
pub const ID: HeaderName = HeaderName::from_static("webhook-id");
/// The header with the time at which it was sent, in seconds since 1970.
pub const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
/// The header with the signatures, one per secret, with spaces between them.
pub const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// The prefix of a signature that is an HMAC with a shared secret.
const VERSION: &str = "v1,";
