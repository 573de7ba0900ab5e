//! What a person sees of a call, and what an approval of it is bound to. Both are computed when the person
//! is asked, and again just before the tool runs.

use assent_ids::ApprovalId;
use assent_journal::Binding;
use assent_json::{Digest, Json};

use super::{Calling, Context, Trail};
use crate::{
    approval::{Bound, View, about_to_run},
    panics::caught_call,
};

/// What identifies a question to a person.
#[derive(Clone, Copy)]
pub(super) struct QuestionKey {
    pub(super) approval: ApprovalId,
    /// The digest of what was shown.
    pub(super) view: Digest,
}

/// What a person sees of a call with this input.
pub(super) fn view(calling: &Calling, trail: &Trail, input: &Json) -> View {
    View::of(&calling.tool.qualified_name(), trail.commitment(input), &trail.shown(input))
}

/// What a call with this input would touch beyond its arguments.
pub(super) fn environment(calling: &Calling, input: &Json) -> Option<Json> {
    caught_call(|| calling.tool.executor.environment(input)).ok().flatten()
}

/// What an approval of a call with this input is bound to.
pub(super) fn binding(
    ctx: &Context,
    calling: &Calling,
    trail: &Trail,
    input: &Json,
    environment: Option<&Json>,
    question: QuestionKey,
) -> Binding {
    let tool = &calling.tool;
    about_to_run(&Bound {
        approval: question.approval,
        invocation: trail.invocation,
        actor: trail.planned.actor.as_ref(),
        session: trail.planned.session.as_ref(),
        device: ctx.device.as_ref(),
        tool: &tool.id,
        definition: tool.digest,
        scope: tool.scope().as_ref(),
        sensitivity: tool.sensitivity().as_ref(),
        arguments: trail.commitment(input),
        hooks: trail.hooks.chain_digest(),
        environment: environment.map(|environment| trail.commitment(environment)),
        view: question.view,
    })
}
