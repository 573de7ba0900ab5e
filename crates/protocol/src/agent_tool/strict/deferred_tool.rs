//! What a reference to a deferred tool must keep.

use super::{Checker, Problem, Strict, declaration::search_hint};
use crate::agent_tool::{DeferredToolRef, LoadingState};

impl Strict for DeferredToolRef {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("tool_id", &self.tool_id);
        check.id("name", &self.name);
        check.optional_id("namespace", self.namespace.as_ref());
        search_hint(&mut check, self.search_hint.as_deref());
        let waits_for = self.pending_provider_or_server.as_deref().unwrap_or_default();
        match self.loading_state {
            LoadingState::PendingProvider => check.demand(
                !waits_for.is_empty(),
                "pending_provider_or_server",
                "a tool that is `pending_provider` waits for somebody",
            ),
            LoadingState::Unavailable => check.demand(
                self.reason.as_ref().is_some_and(|reason| !reason.is_empty()),
                "reason",
                "a tool that is `unavailable` has a reason",
            ),
            LoadingState::Loaded | LoadingState::Deferred | LoadingState::Discoverable => {}
        }
        check.done()
    }
}
