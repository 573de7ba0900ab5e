//! Answers to permission requests.

use assent_protocol::wire::{Millis, Object};

use super::Recipient;
use crate::vocabulary::vocabulary;

/// An answer. The first unused one that fits is given; if none fits, there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Approval {
    /// The calls that it fits.
    pub recipient: Recipient,
    /// The answer.
    pub answer: Answer,
    /// The comment of the person.
    pub feedback: Option<String>,
    /// The time until the answer.
    pub after: Millis,
    /// How long the answer is valid.
    pub remember: Remember,
}

/// The kinds of answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The call may run.
    Allow,
    /// The call must not run.
    Deny,
    /// The call may run with this input instead.
    Edit(Object),
    /// No answer, until the time is up.
    Ignore,
}

vocabulary! {
    /// How long an answer is valid.
    pub Remember {
        /// For this call only.
        Once = "once",
        /// Until the session ends.
        Session = "session",
    }
}
