//! What a permission decision must keep.

use super::{Checker, Problem, Strict};
use crate::agent_tool::{Behavior, ReasonType, ToolPermissionDecision};

impl Strict for ToolPermissionDecision {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("decision_id", &self.decision_id);
        check.id("invocation_id", &self.invocation_id);
        check.time("decided_at", &self.decided_at);
        check.optional_time("expires_at", self.expires_at.as_ref());
        if let Some(source) = &self.source {
            check.known("source", source);
        }
        check.demand(self.reason.is_some(), "reason", "a decision has a reason");
        if let Some(reason) = check.typed("reason", self.reason.as_ref()) {
            let kind = check.known("reason/type", &reason.kind);
            let by_rule = kind == Some(ReasonType::Rule);
            let names_rule = reason.rule_ref.is_some()
                || self.rule_refs.as_ref().is_some_and(|rules| !rules.is_empty());
            check.demand(!by_rule || names_rule, "rule_refs", "a rule that decided is named");
        }
        let may_change = self.behavior == Behavior::Allow;
        let changes = self.updated_input.is_some() || self.updated_input_ref.is_some();
        check.demand(
            may_change || !changes,
            "updated_input",
            "only an `allow` can change the input",
        );
        check.ids("rule_refs", self.rule_refs.as_ref());
        check.refs("policy_refs", self.policy_refs.as_ref());
        check.all_typed("suggested_updates", self.suggested_updates.as_ref());
        check.all_typed("content_blocks", self.content_blocks.as_ref());
        check.done()
    }
}
