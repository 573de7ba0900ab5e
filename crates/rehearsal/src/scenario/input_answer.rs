//! What the person answers when a tool needs input.

use assent_protocol::wire::Millis;
use serde_json::Value;

use super::Recipient;

/// One answer. The first unused one that fits is given; if none fits, the call waits.
#[derive(Clone, Debug, PartialEq)]
pub struct InputAnswer {
    /// Which calls it is for.
    pub recipient: Recipient,
    /// What is answered.
    pub answer: Value,
    /// How long the person thinks.
    pub after: Millis,
}
