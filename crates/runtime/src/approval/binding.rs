//! The exact call that an approval is for, and the comparison just before it runs.

use std::sync::Arc;

use assent_ids::{ApprovalId, InvocationId, ToolId};
use assent_journal::Binding;
use assent_json::Digest;

/// Everything that identifies a call when it is shown, and again when it is about to run.
#[derive(Clone, Debug)]
pub(crate) struct Bound<'a> {
    pub(crate) approval: ApprovalId,
    pub(crate) invocation: InvocationId,
    pub(crate) actor: Option<&'a Arc<str>>,
    pub(crate) session: Option<&'a Arc<str>>,
    pub(crate) device: Option<&'a Arc<str>>,
    pub(crate) tool: &'a Arc<ToolId>,
    pub(crate) definition: Digest,
    pub(crate) scope: Option<&'a Arc<str>>,
    pub(crate) sensitivity: Option<&'a Arc<str>>,
    pub(crate) arguments: Digest,
    pub(crate) hooks: Digest,
    pub(crate) environment: Option<Digest>,
    pub(crate) view: Digest,
}

/// The binding of a call, computed from what is about to run.
pub(crate) fn about_to_run(call: &Bound<'_>) -> Binding {
    Binding {
        approval: call.approval,
        invocation: call.invocation,
        actor: call.actor.cloned(),
        session: call.session.cloned(),
        device: call.device.cloned(),
        tool: Arc::clone(call.tool),
        definition: call.definition,
        scope: call.scope.cloned(),
        sensitivity: call.sensitivity.cloned(),
        arguments: call.arguments,
        hooks: call.hooks,
        environment: call.environment.unwrap_or_else(|| Digest::of(b"")),
        view: call.view,
    }
}

/// A difference between what was approved and what is about to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {0} is not what was approved")]
pub(crate) struct Mismatch(pub(crate) &'static str);

/// The first difference between what was approved and what is about to run now, if there is one.
pub(crate) fn mismatch(approved: &Binding, running: &Binding) -> Option<Mismatch> {
    // Destructured so that a new field cannot be forgotten.
    let Binding {
        approval,
        invocation,
        actor,
        session,
        device,
        tool,
        definition,
        scope,
        sensitivity,
        arguments,
        hooks,
        environment,
        view,
    } = approved;
    let fields = [
        ("approval", *approval == running.approval),
        ("call", *invocation == running.invocation),
        ("agent", *actor == running.actor),
        ("session", *session == running.session),
        ("device", *device == running.device),
        ("tool", *tool == running.tool),
        ("definition of the tool", *definition == running.definition),
        ("scope", *scope == running.scope),
        ("sensitivity", *sensitivity == running.sensitivity),
        ("input", *arguments == running.arguments),
        ("chain of hooks", *hooks == running.hooks),
        ("environment", *environment == running.environment),
        ("view", *view == running.view),
    ];
    fields.into_iter().find(|(_, same)| !same).map(|(field, _)| Mismatch(field))
}

#[cfg(test)]
mod tests;
