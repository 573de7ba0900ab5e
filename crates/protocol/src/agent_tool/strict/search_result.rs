//! What the answer to a search must keep.

use super::{Checker, Problem, Strict};
use crate::agent_tool::ToolSearchResult;

impl Strict for ToolSearchResult {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.known("query_type", &self.query_type);
        for (at, found) in self.matches.iter().enumerate() {
            check.id(&format!("matches/{at}"), found.tool_id());
        }
        check.demand(
            !self.matches.is_empty() || self.next_action.is_some(),
            "next_action",
            "a search that found nothing says what to do next",
        );
        check.refs("pending_providers", self.pending_providers.as_ref());
        check.refs("missing_names", self.missing_names.as_ref());
        check.done()
    }
}
