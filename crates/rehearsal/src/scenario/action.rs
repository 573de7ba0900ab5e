//! What happens from outside while calls run.

use assent_ids::CallId;
use assent_protocol::wire::Millis;

/// A deed and when it is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// How long after the start.
    pub at: Millis,
    /// What is done.
    pub deed: Deed,
}

/// What somebody does to the run.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// Asks that a call stops; without a call, all of them.
    Cancel(Option<CallId>),
    /// Interrupts a call; without a call, all of them.
    Interrupt(Option<CallId>),
    /// Drops every state in memory and resumes from the journal.
    Restart,
}
