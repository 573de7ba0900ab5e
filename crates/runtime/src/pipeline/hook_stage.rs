//! What every stage that runs hooks needs: which hooks match, what they are shown, and what their effects on
//! a call that has not run yet are.

use std::sync::Arc;

use assent_ids::HookRunId;
use assent_json::Json;
use assent_policy::{Decision, Opinion};
use assent_protocol::agent_tool::{ErrorClass, HookEvent, MutationSource, TerminalStatus};

use super::{
    Calling, Context, Stage, Stop, Trail,
    map_result::Ending,
    mutation::{self, Changer},
};
use crate::hooks::{HookEffects, HookMoment, HookOutcome, HookStop, Masked, Registration, run};

/// The hooks that are registered for an event of the call's tool, in order.
pub(super) fn matching<'a>(
    ctx: &'a Context,
    calling: &'a Calling,
    event: HookEvent,
) -> impl Iterator<Item = &'a Registration> + use<'a> {
    ctx.hooks.matching(event, &calling.tool)
}

/// Runs hooks one after the other before the tool runs, each on the input that the one before it left.
/// Returns the input after the last one.
pub(super) async fn run_all(
    calling: &Calling,
    trail: &mut Trail,
    hooks: &[&Registration],
    mut input: Json,
    stage: Stage,
) -> Result<Json, Stop> {
    for &hook in hooks {
        let moment = moment(calling, trail, hook.event, &input);
        let outcome = tokio::select! {
            biased;
            reason = calling.aborted() => return Err(trail.stopped(stage, reason)),
            outcome = run(trail, hook, &moment) => outcome,
        };
        match outcome {
            HookOutcome::Effects(effects) => {
                trail.hooks.extend_chain(hook);
                input = apply(calling, trail, hook, input, *effects, stage)?;
            }
            HookOutcome::NoEffect => trail.hooks.extend_chain(hook),
            HookOutcome::Ignored => {}
            HookOutcome::Failed(message) => return Err(failed(hook, stage, &message)),
        }
    }
    Ok(input)
}

/// Applies the effects of a hook to a call that has not run yet.
fn apply(
    calling: &Calling,
    trail: &mut Trail,
    hook: &Registration,
    input: Json,
    effects: HookEffects,
    stage: Stage,
) -> Result<Json, Stop> {
    let (context, messages) =
        (trail.scrub_all(&effects.context), trail.scrub_all(&effects.messages));
    trail.hooks.context.extend(context);
    trail.hooks.messages.extend(messages);
    if let Some(HookStop { reason, code }) = effects.stop {
        let message = format!("the hook `{}` stopped the call: {}", hook.id, trail.scrub(&reason));
        let stop = Stop::new(stage, TerminalStatus::Blocked, ErrorClass::HookBlocked, message);
        return Err(Stop { code, ..stop });
    }
    let reason = effects.decide.as_ref().and_then(|(_, reason)| reason.clone());
    if let Some((decision, reason)) = effects.decide {
        let opinion = Opinion {
            decision,
            hook: hook.id.clone(),
            reason: reason.map(|reason| trail.scrub(&reason)),
            authoritative: hook.authoritative && hook.tools.names(&calling.tool),
        };
        trail.hooks.opinions.push(opinion);
    }
    let Some(updated) = effects.update_input else { return Ok(input) };
    let changer = Changer {
        stage,
        source: MutationSource::Hook,
        source_ref: Some(hook.id.as_str()),
        rule: calling.tool.hooks_may_change,
        reason: Some(reason.as_deref().unwrap_or("changed by a hook")),
    };
    mutation::apply(&calling.tool, trail, &changer, &input, updated)
}

/// The moment that the next hook is shown.
pub(super) fn moment(
    calling: &Calling,
    trail: &mut Trail,
    event: HookEvent,
    input: &Json,
) -> HookMoment {
    let run: HookRunId = trail.derive_id();
    HookMoment {
        event,
        run,
        invocation: trail.invocation,
        tool: Arc::clone(&calling.tool.id),
        namespace: (&calling.tool.namespace).into(),
        name: (&calling.tool.name).into(),
        input: input.clone(),
        actor: trail.planned.actor.clone(),
        session: trail.planned.session.clone(),
        decision: (event == HookEvent::PermissionRequest).then_some(Decision::Ask),
        output: None,
        error: None,
        masked: Masked { input: trail.shown(input), output: None },
    }
}

/// The moment that the next hook is shown after the tool has run.
pub(super) fn moment_after(
    calling: &Calling,
    trail: &mut Trail,
    event: HookEvent,
    ending: &Ending,
) -> HookMoment {
    let input = trail.inputs.executed().clone();
    let mut moment = moment(calling, trail, event, &input);
    moment.output = ending.as_json();
    moment.masked.output = moment.output.as_ref().map(|output| trail.scrub_json(output));
    moment.error = match ending {
        Ending::Worked(_) => None,
        Ending::Broke(broke) => Some(broke.failure.class),
    };
    moment
}

fn failed(hook: &Registration, stage: Stage, message: &str) -> Stop {
    let message = format!("the hook `{}` failed, so the call does not run: {message}", hook.id);
    Stop::new(stage, TerminalStatus::Blocked, ErrorClass::HookFailed, message)
}
