//! Answers to tools that need input.

use assent_protocol::wire::Millis;
use serde_json::Value;

use super::Recipient;

/// An answer. The first unused one that fits is given; if none fits, the call waits.
#[derive(Clone, Debug, PartialEq)]
pub struct InputAnswer {
    /// The calls that it fits.
    pub recipient: Recipient,
    /// The answer.
    pub answer: Value,
    /// The time until the answer.
    pub after: Millis,
}
