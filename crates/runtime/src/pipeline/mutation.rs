//! Changes of an input: which are allowed, and how they are recorded.

use std::collections::BTreeSet;

use assent_ids::MutationId;
use assent_journal::Mutated;
use assent_json::{Json, Kind, Node, Pointer};
use assent_protocol::agent_tool::{ErrorClass, MutationRule, MutationSource, TerminalStatus};

use super::{Stage, Stop, Trail, parse, validate};
use crate::catalog::Tool;

/// The source of a change.
pub(crate) struct Changer<'a> {
    pub(crate) stage: Stage,
    pub(crate) source: MutationSource,
    pub(crate) source_ref: Option<&'a str>,
    pub(crate) rule: MutationRule,
    pub(crate) reason: Option<&'a str>,
}

/// Replaces `before` with `after`: checks that the change is allowed and that the result fits the schemas and
/// the tool, and records it. An equal input is no change.
pub(crate) fn apply(
    tool: &Tool,
    trail: &mut Trail,
    changer: &Changer<'_>,
    before: &Json,
    after: Json,
) -> Result<Json, Stop> {
    if *before == after {
        return Ok(before.clone());
    }
    let changed = changed_fields(before, &after);
    may_change(tool, changer, &changed)?;
    trail.hide_values_of(&after);
    parse::fits(tool, &after).map_err(|violation| {
        Stop::new(
            changer.stage,
            TerminalStatus::ValidationFailed,
            ErrorClass::SchemaValidationFailed,
            format!("the changed input of `{}` does not fit its schema: {violation}", tool.name),
        )
        .coded("changed_input_invalid")
    })?;
    validate::values(tool, &after, changer.stage, trail)?;
    let id: MutationId = trail.derive_id();
    trail.mutate(Mutated {
        id,
        source: changer.source,
        source_ref: changer.source_ref.map(str::to_owned),
        from: trail.shown(before).digest(),
        to: trail.shown(&after).digest(),
        changed,
        reason: changer.reason.map(|reason| trail.scrub(reason)),
    });
    Ok(after)
}

fn may_change(tool: &Tool, changer: &Changer<'_>, changed: &[String]) -> Result<(), Stop> {
    let is_internal = |path: &String| {
        let top = Pointer::tokens(path).next();
        top.is_some_and(|top| tool.internal_fields.contains(&top))
    };
    let allowed = match changer.rule {
        MutationRule::Allow => true,
        MutationRule::InternalOnly => changed.iter().all(is_internal),
        MutationRule::Forbid => false,
    };
    if allowed {
        return Ok(());
    }
    let message = format!("`{}` does not let a {} change its input", tool.name, changer.source);
    Err(Stop::new(changer.stage, TerminalStatus::Blocked, ErrorClass::InputMutationFailed, message))
}

/// The JSON Pointers at which two inputs differ: the outermost ones at which something was added, removed or
/// replaced.
pub(crate) fn changed_fields(before: &Json, after: &Json) -> Vec<String> {
    let mut changed = Vec::new();
    compare(before.root(), after.root(), &Pointer::root(), &mut changed);
    changed
}

fn compare(before: Node<'_>, after: Node<'_>, at: &Pointer, changed: &mut Vec<String>) {
    if before.kind() != Kind::Object || after.kind() != Kind::Object {
        if before.canonical() != after.canonical() {
            changed.push(at.as_str().to_owned());
        }
        return;
    }
    let keys: BTreeSet<&str> =
        before.members().chain(after.members()).map(|(key, _)| key).collect();
    for key in keys {
        match (before.get(key), after.get(key)) {
            (Some(before), Some(after)) => compare(before, after, &at.key(key), changed),
            _ => changed.push(at.key(key).as_str().to_owned()),
        }
    }
}
