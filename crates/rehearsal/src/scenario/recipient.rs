//! The calls that an answer fits.

use assent_ids::CallId;

/// The calls that an answer fits. Both must fit if both are given; an answer with neither fits all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recipient {
    /// This call.
    pub call: Option<CallId>,
    /// Calls of tools that this glob matches.
    pub tool: Option<String>,
}
