//! Stage 6: what do hooks say? Each may refuse, ask, allow, add context, change the input or stop the
//! call. Their opinions are only weighed in the next stage, beside rules and policies.

use assent_json::Json;
use assent_policy::Opinion;
use assent_protocol::agent_tool::{
    ErrorClass, HookEvent, InvocationStatus, MutationSource, TerminalStatus,
};

use super::{
    Calling, Context, Stage, Stop, Trail,
    mutation::{self, Changer},
    observe::Observed,
};
use crate::hooks::{self, HookEffects, HookMoment, Ran, Registration};

/// A call that hooks have looked at. Its input is frozen: this is what will be judged.
pub(crate) struct Hooked {
    pub(crate) calling: Calling,
    pub(crate) permission_input: Json,
}

pub(crate) async fn run(ctx: &Context, call: Observed, trail: &mut Trail) -> Result<Hooked, Stop> {
    let Observed { calling, observable } = call;
    let registrations = matching(ctx, &calling, HookEvent::PreToolUse);
    let permission_input = if registrations.is_empty() {
        observable
    } else {
        trail.enter(InvocationStatus::PreHooksRunning);
        // Hooks act on the world outside: from here on it is known that the call was asked for.
        trail.checkpoint().await.map_err(|error| unrecorded(&error))?;
        all(ctx, &calling, trail, &registrations, observable, Stage::PreHooks).await?
    };
    if let Some(reason) = calling.control.aborted() {
        return Err(trail.stopped(Stage::PreHooks, reason));
    }
    trail.inputs.permission = Some(permission_input.clone());
    Ok(Hooked { calling, permission_input })
}

pub(super) fn matching(ctx: &Context, calling: &Calling, event: HookEvent) -> Vec<Registration> {
    let tool = &calling.tool;
    ctx.hooks.matching(event, tool.namespace.as_str(), tool.name.as_str()).cloned().collect()
}

/// Runs hooks one after the other, each on the input that the one before it left.
pub(super) async fn all(
    ctx: &Context,
    calling: &Calling,
    trail: &mut Trail,
    registrations: &[Registration],
    mut input: Json,
    stage: Stage,
) -> Result<Json, Stop> {
    for hook in registrations {
        let moment = moment(calling, trail, hook.event, &input);
        let ran = tokio::select! {
            biased;
            reason = aborted(calling) => Err(reason),
            ran = hooks::run(ctx, trail, hook, &moment) => Ok(ran),
        };
        let effects = match ran {
            Ok(Ran::Said(effects)) => effects,
            Ok(Ran::Silent) => continue,
            Ok(Ran::Broke(message)) => return Err(broke(hook, stage, &message)),
            Err(reason) => return Err(trail.stopped(stage, reason)),
        };
        trail.extend_hook_chain(hook);
        input = take(calling, trail, hook, input, effects, stage)?;
    }
    Ok(input)
}

/// Acts on what a hook said.
fn take(
    calling: &Calling,
    trail: &mut Trail,
    hook: &Registration,
    input: Json,
    effects: HookEffects,
    stage: Stage,
) -> Result<Json, Stop> {
    trail.context.extend(effects.context.iter().map(|text| trail.scrub(text)).collect::<Vec<_>>());
    trail.messages.extend(effects.messages);
    if let Some(reason) = effects.stop {
        let message = format!("the hook `{}` stopped the call: {}", hook.id, trail.scrub(&reason));
        return Err(Stop::new(stage, TerminalStatus::Blocked, ErrorClass::HookBlocked, message));
    }
    if let Some((decision, reason)) = effects.decide {
        trail.opinions.push(Opinion {
            decision,
            hook: hook.id.clone(),
            reason,
            authoritative: hook.authoritative,
        });
    }
    let Some(updated) = effects.update_input else { return Ok(input) };
    let changer = Changer {
        stage,
        source: MutationSource::Hook,
        source_ref: Some(hook.id.as_str()),
        rule: calling.tool.hooks_may_change,
        reason: None,
    };
    mutation::apply(&calling.tool, trail, &changer, &input, updated)
}

pub(super) fn moment(
    calling: &Calling,
    trail: &Trail,
    event: HookEvent,
    input: &Json,
) -> HookMoment {
    HookMoment {
        event,
        invocation: trail.invocation,
        tool: calling.tool.id.clone(),
        namespace: calling.tool.namespace.as_str().into(),
        name: calling.tool.name.as_str().into(),
        input: input.clone(),
        actor: trail.planned.actor.clone(),
        session: trail.session.clone(),
        decision: None,
        output: None,
        error: None,
    }
}

/// Waits until somebody wants the call stopped. Reports of executors do not exist this early, so
/// waking up without a reason only means to wait on.
pub(super) async fn aborted(calling: &Calling) -> assent_protocol::agent_tool::AbortReason {
    loop {
        if let Some(reason) = calling.control.aborted() {
            return reason;
        }
        calling.control.changed().await;
    }
}

fn broke(hook: &Registration, stage: Stage, message: &str) -> Stop {
    let message = format!("the hook `{}` failed, so the call does not run: {message}", hook.id);
    Stop::new(stage, TerminalStatus::Blocked, ErrorClass::HookFailed, message)
}

pub(super) fn unrecorded(error: &assent_journal::JournalError) -> Stop {
    Stop::new(
        Stage::PreHooks,
        TerminalStatus::Blocked,
        ErrorClass::DependencyUnavailable,
        format!("the journal cannot record the call, so it does not run: {error}"),
    )
    .coded("journal_unavailable")
}
