//! External events while calls run.

use assent_ids::CallId;
use assent_protocol::wire::Millis;

/// An action and its time.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// The time since the start.
    pub at: Millis,
    /// The kind of action.
    pub deed: Deed,
}

/// The kinds of actions.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// Requests the cancellation of a call, or of all calls.
    Cancel(Option<CallId>),
    /// Interrupts a call, or all calls.
    Interrupt(Option<CallId>),
    /// Drops all state in memory and resumes from the journal.
    Restart,
}
