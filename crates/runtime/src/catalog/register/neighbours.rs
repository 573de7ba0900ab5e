//! Conflicts of a new tool with the ids and names of others.

use super::{Findings, Identity};
use crate::catalog::{Directory, ToolDefinition, confusable::Skeletons};

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

/// Refuses names that look like a name of another tool: a rule, a person or a model that means one of them
/// could get the other.
pub(super) fn check_confusable(
    identity: &Identity,
    others: &Directory,
    skeletons: &Skeletons,
    findings: &mut Findings,
) {
    let aliases = identity.aliases.iter().map(|alias| ("/declaration/aliases", alias));
    let other = |text: &str| {
        let mut alike = skeletons.confusable_with(text);
        alike.find(|other| others.is_called_besides(&identity.id, other)).map(str::to_owned)
    };
    for (field, name) in [("/declaration/name", &identity.name)].into_iter().chain(aliases) {
        if let Some(other) = other(name.as_str()) {
            findings.problem(field, format!("`{name}` looks like `{other}`, which is registered"));
            continue;
        }
        let qualified = format!("{}/{name}", identity.namespace);
        if let Some(other) = other(&qualified) {
            let message = format!("`{qualified}` looks like `{other}`, which is registered");
            findings.problem("/declaration/namespace", message);
        }
    }
}

/// An id belongs to the provider that used it first, so that no provider can replace the tool of another.
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
