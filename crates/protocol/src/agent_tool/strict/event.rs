//! What an event must keep.

use super::{Checker, Problem, Strict};
use crate::agent_tool::ToolEvent;

impl Strict for ToolEvent {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("event_id", &self.event_id);
        check.known("event_type", &self.event_type);
        check.text("source", &self.source);
        check.time("time", &self.time);
        check.optional_id("invocation_id", self.invocation_id.as_ref());
        check.optional_id("tool_id", self.tool_id.as_ref());
        check.demand(
            self.invocation_id.is_none() || self.sequence().is_some(),
            "data/sequence",
            "events of a call are numbered",
        );
        check.done()
    }
}
