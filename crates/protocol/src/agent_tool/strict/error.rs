//! What an error must keep.

use super::{Checker, Problem, Strict};
use crate::agent_tool::{Recoverability, ToolError};

impl Strict for ToolError {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.known("error_class", &self.error_class);
        let explained = self.message.as_ref().is_some_and(|message| !message.is_empty());
        check.demand(explained, "message", "an error is explained to people");
        if let Some(code) = &self.error_code {
            check.text("error_code", code);
        }
        if let Some(word) = &self.recoverability {
            let delayed =
                check.known("recoverability", word) == Some(Recoverability::RetryAfterDelay);
            check.demand(
                !delayed || self.retry_after.is_some(),
                "retry_after",
                "an error that passes says when",
            );
        }
        if let Some(reason) = &self.abort_reason {
            check.known("abort_reason", reason);
        }
        check.refs("policy_refs", self.policy_refs.as_ref());
        check.refs("evidence_refs", self.evidence_refs.as_ref());
        check.done()
    }
}
