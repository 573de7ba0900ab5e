//! What a declaration must keep.

use super::{Checker, Problem, Strict};
use crate::agent_tool::{ToolDeclaration, ToolExternalMapping, ToolNamespace};

impl Strict for ToolDeclaration {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("tool_id", &self.tool_id);
        check.demand(
            !self.tool_id.as_str().starts_with("unresolved:"),
            "tool_id",
            "`unresolved:` stands for tools that do not exist",
        );
        check.id("namespace", &self.namespace);
        check.id("name", &self.name);
        check.text("description", &self.description);
        check.known("tool_kind", &self.tool_kind);
        check.ids("aliases", self.aliases.as_ref());
        check.refs("capability_refs", self.capability_refs.as_ref());
        search_hint(&mut check, self.search_hint.as_deref());
        if let Some(contract) = check.typed("input_contract", self.input_contract.as_ref()) {
            check.nested("input_contract", contract);
        }
        if let Some(contract) = check.typed("output_contract", self.output_contract.as_ref()) {
            check.nested("output_contract", contract);
        }
        check.optional_id("interface_ref", self.interface_ref.as_ref());
        check.optional_id("execution_profile_ref", self.execution_profile_ref.as_ref());
        check.optional_id("permission_profile_ref", self.permission_profile_ref.as_ref());
        for (at, mapping) in check.all_typed("external_mappings", self.external_mappings.as_ref()) {
            check.nested(&format!("external_mappings/{at}"), mapping);
        }
        check.done()
    }
}

/// The standard recommends three to ten words.
pub(super) fn search_hint(check: &mut Checker, hint: Option<&str>) {
    if let Some(hint) = hint {
        let words = hint.split_whitespace().count();
        check.demand((3..=10).contains(&words), "search_hint", "it should have 3 to 10 words");
    }
}

impl Strict for ToolNamespace {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("namespace", &self.namespace);
        check.known("origin", &self.origin);
        check.optional_id("provider_id", self.provider_id.as_ref());
        for (at, mapping) in check.all_typed("external_mappings", self.external_mappings.as_ref()) {
            check.nested(&format!("external_mappings/{at}"), mapping);
        }
        check.done()
    }
}

impl Strict for ToolExternalMapping {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.known("source", &self.source);
        if self.extra.is_empty() {
            check.problem_of_all("a mapping must hold a native name or id");
        }
        check.done()
    }
}
