//! Whom an answer of the person is for.

use assent_ids::CallId;

/// The calls that an answer fits. Both must fit if both are given; an answer with neither fits all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recipient {
    /// This call.
    pub call: Option<CallId>,
    /// Calls of tools that this glob names.
    pub tool: Option<String>,
}
