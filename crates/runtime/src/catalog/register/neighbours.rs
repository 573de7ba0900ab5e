//! What a new tool must not take from others: their ids and their names.

use super::{Findings, Identity};
use crate::catalog::{Directory, ToolDefinition};

pub(super) fn check(
    definition: &ToolDefinition,
    identity: &Identity,
    others: &Directory,
    findings: &mut Findings,
) {
    same_owner(definition, identity, others, findings);
    let aliases = identity.aliases.iter().map(|alias| ("/declaration/aliases", alias));
    for (field, name) in [("/declaration/name", &identity.name)].into_iter().chain(aliases) {
        if let Some(owner) = others.other_owner(&identity.id, &identity.namespace, name) {
            let message = format!(
                "`{name}` already leads to `{}` in the namespace `{}`",
                owner.id, identity.namespace
            );
            findings.problem(field, message);
        }
    }
    if others.is_full() {
        findings.problem("", "the catalog is full");
    }
}

/// An id stays with the one who first used it: otherwise one provider could take the place of another.
fn same_owner(
    definition: &ToolDefinition,
    identity: &Identity,
    others: &Directory,
    findings: &mut Findings,
) {
    let Some(known) = others.by_id(&identity.id) else { return };
    if known.definition.provider != definition.provider {
        findings.problem("/declaration/tool_id", "the id belongs to a tool of another provider");
    }
    if known.namespace != identity.namespace {
        let message = format!("the id belongs to a tool in the namespace `{}`", known.namespace);
        findings.problem("/declaration/tool_id", message);
    }
}
