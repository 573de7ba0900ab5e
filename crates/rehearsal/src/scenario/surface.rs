//! What of the catalog is on offer.

use assent_protocol::{agent_tool::ExclusionReason, wire::Open};

/// By default every tool that is not deferred is loaded, and none is blocked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// How many tools may be loaded at most.
    pub budget: Option<u32>,
    /// Tools that are kept from the model.
    pub blocked: Vec<Blocked>,
}

/// A tool that is kept from the model, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocked {
    /// The tool, as [`Scenario::tool`](super::Scenario::tool) finds it.
    pub tool: String,
    /// Why.
    pub reason: Open<ExclusionReason>,
}
