//! The tools that are offered to the model.

use assent_protocol::{agent_tool::ExclusionReason, wire::Open};

/// By default every tool that is not deferred is loaded, and none is blocked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// The most tools that are loaded.
    pub budget: Option<u32>,
    /// The blocked tools.
    pub blocked: Vec<Blocked>,
}

/// A blocked tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocked {
    /// The tool, as [`Scenario::tool`](super::Scenario::tool) finds it.
    pub tool: String,
    /// The reason.
    pub reason: Open<ExclusionReason>,
}
