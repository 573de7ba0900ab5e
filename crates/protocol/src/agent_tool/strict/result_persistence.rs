//! What the decision on storing a result must keep.

use super::{Checker, Problem, Strict};
use crate::agent_tool::{PersistenceStrategy, ToolResultPersistence};

impl Strict for ToolResultPersistence {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("decision_id", &self.decision_id);
        check.id("invocation_id", &self.invocation_id);
        check.optional_id("result_id", self.result_id.as_ref());
        check.time("created_at", &self.created_at);
        check.typed("threshold", self.threshold.as_ref());
        if let Some(stored) = check.typed("persisted_ref", self.persisted_ref.as_ref()) {
            check.text("persisted_ref/uri", &stored.uri);
        }
        let stored = self.persisted_ref.is_some();
        match self.strategy {
            PersistenceStrategy::PreviewAndPersist => {
                check.demand(stored, "persisted_ref", "stored bytes have a place");
                check.demand(
                    self.preview_size_bytes.is_some(),
                    "preview_size_bytes",
                    "a preview has a size",
                );
            }
            PersistenceStrategy::RefOnly => {
                check.demand(stored, "persisted_ref", "stored bytes have a place");
            }
            PersistenceStrategy::DropWithReason => {
                let given = self.reason.as_ref().is_some_and(|reason| !reason.is_empty());
                check.demand(given, "reason", "what is thrown away is thrown away for a reason");
                check.demand(!stored, "persisted_ref", "what was thrown away is nowhere");
            }
            PersistenceStrategy::NeverPersist => {
                check.demand(!stored, "persisted_ref", "what is never stored is nowhere");
            }
            PersistenceStrategy::Inline | PersistenceStrategy::Redact => {}
        }
        check.done()
    }
}
