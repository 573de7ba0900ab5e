//! What the person answers when asked for permission.

use assent_protocol::wire::{Millis, Object};

use super::Recipient;
use crate::vocabulary::vocabulary;

/// One answer. The first unused one that fits is given; if none fits, nobody answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Approval {
    /// Which calls it is for.
    pub recipient: Recipient,
    /// What is answered.
    pub answer: Answer,
    /// What the person says about it.
    pub feedback: Option<String>,
    /// How long the person thinks.
    pub after: Millis,
    /// For how long the answer holds.
    pub remember: Remember,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Yes.
    Allow,
    /// No.
    Deny,
    /// Yes, with this as the whole new input.
    Edit(Object),
    /// Nothing, until the time is up.
    Ignore,
}

vocabulary! {
    /// For how long an answer holds.
    pub Remember {
        /// For this call.
        Once = "once",
        /// Until the session ends.
        Session = "session",
    }
}
