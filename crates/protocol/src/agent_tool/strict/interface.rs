//! What an interface must keep.

use super::{Checker, Problem, Strict, declaration::search_hint};
use crate::agent_tool::{Flag, FlagExpression, ToolInterface};

impl Strict for ToolInterface {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("interface_id", &self.interface_id);
        check.id("tool_id", &self.tool_id);
        check.optional_id("name", self.name.as_ref());
        check.ids("aliases", self.aliases.as_ref());
        search_hint(&mut check, self.search_hint.as_deref());
        for (name, flag) in [
            ("is_enabled", &self.is_enabled),
            ("is_read_only", &self.is_read_only),
            ("is_concurrency_safe", &self.is_concurrency_safe),
            ("is_destructive", &self.is_destructive),
            ("is_open_world", &self.is_open_world),
        ] {
            let unreadable =
                flag.as_ref().and_then(Flag::expression) == Some(FlagExpression::Unreadable);
            check.demand(!unreadable, name, "a text must be `classifier:<id>` or `same_as:<flag>`");
        }
        check.optional_id("execution_profile_ref", self.execution_profile_ref.as_ref());
        check.optional_id("permission_profile_ref", self.permission_profile_ref.as_ref());
        for (at, mapping) in check.all_typed("external_mappings", self.external_mappings.as_ref()) {
            check.nested(&format!("external_mappings/{at}"), mapping);
        }
        check.typed("interrupt_behavior", self.interrupt_behavior.as_ref());
        check.typed("inferred_facts", self.inferred_facts.as_ref());
        check.done()
    }
}
