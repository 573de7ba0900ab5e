//! Stage 6: what do hooks say? Each may refuse, ask, allow, add context, change the input or stop the
//! call. Their opinions are only weighed in the next stage, beside rules and policies.

use std::sync::Arc;

use assent_ids::HookRunId;
use assent_json::Json;
use assent_policy::{Decision, Opinion};
use assent_protocol::agent_tool::{
    AbortReason, ErrorClass, HookEvent, InvocationStatus, MutationSource, TerminalStatus,
};

use super::{
    Calling, Context, Stage, Stop, Trail,
    map_result::Ending,
    mutation::{self, Changer},
    observe::Observed,
};
use crate::hooks::{self, HookEffects, HookMoment, Masked, Ran, Registration, SeenOutput};

/// A call that hooks have looked at. Its input is frozen: this is what will be judged.
pub(crate) struct Hooked {
    pub(crate) calling: Calling,
    pub(crate) permission_input: Json,
}

pub(crate) async fn run(ctx: &Context, call: Observed, trail: &mut Trail) -> Result<Hooked, Stop> {
    let Observed { calling, observable } = call;
    let permission_input = {
        let mut registrations = matching(ctx, &calling, HookEvent::PreToolUse).peekable();
        if registrations.peek().is_none() {
            observable
        } else {
            trail.enter(InvocationStatus::PreHooksRunning);
            // Hooks act on the world outside: from here on it is known that the call was asked for.
            trail.checkpoint().await.map_err(|error| Stop::unrecorded(Stage::PreHooks, &error))?;
            all(&calling, trail, registrations, observable, Stage::PreHooks).await?
        }
    };
    if let Some(reason) = calling.control.aborted() {
        return Err(trail.stopped(Stage::PreHooks, reason));
    }
    trail.inputs.permission = Some(permission_input.clone());
    Ok(Hooked { calling, permission_input })
}

pub(super) fn matching<'a>(
    ctx: &'a Context,
    calling: &'a Calling,
    event: HookEvent,
) -> impl Iterator<Item = &'a Registration> + use<'a> {
    ctx.hooks.matching(event, &calling.tool)
}

/// Runs hooks one after the other, each on the input that the one before it left.
pub(super) async fn all(
    calling: &Calling,
    trail: &mut Trail,
    registrations: impl Iterator<Item = &Registration>,
    mut input: Json,
    stage: Stage,
) -> Result<Json, Stop> {
    let mut moment = None;
    for hook in registrations {
        let moment = moment_for(&mut moment, calling, trail, hook.event, &input);
        let ran = tokio::select! {
            biased;
            reason = aborted(calling) => Err(reason),
            ran = hooks::run(trail, hook, moment) => Ok(ran),
        };
        let effects = match ran {
            Ok(Ran::Said(effects)) => effects,
            Ok(Ran::Agreed) => {
                trail.extend_hook_chain(hook);
                continue;
            }
            Ok(Ran::Silent) => continue,
            Ok(Ran::Broke(message)) => return Err(broke(hook, stage, &message)),
            Err(reason) => {
                trail.look_at_clock();
                return Err(trail.stopped(stage, reason));
            }
        };
        trail.extend_hook_chain(hook);
        input = take(calling, trail, hook, input, *effects, stage)?;
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
    trail
        .messages
        .extend(effects.messages.iter().map(|text| trail.scrub(text)).collect::<Vec<_>>());
    if let Some(reason) = effects.stop {
        let message = format!("the hook `{}` stopped the call: {}", hook.id, trail.scrub(&reason));
        return Err(Stop::new(stage, TerminalStatus::Blocked, ErrorClass::HookBlocked, message));
    }
    if let Some((decision, reason)) = effects.decide {
        trail.opinions.push(Opinion {
            decision,
            hook: hook.id.clone(),
            reason: reason.map(|reason| trail.scrub(&reason)),
            authoritative: hook.authoritative && hook.tools.names(&calling.tool),
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

/// The moment as the next hook sees it. All hooks of an event see the same one, but for what a hook has
/// changed.
pub(super) fn moment_for<'m>(
    seen: &'m mut Option<HookMoment>,
    calling: &Calling,
    trail: &mut Trail,
    event: HookEvent,
    input: &Json,
) -> &'m mut HookMoment {
    let run = trail.derive_id();
    let moment = seen.get_or_insert_with(|| moment(calling, trail, event, run, input));
    moment.run = run;
    if !moment.input.is_same(input) {
        moment.input = input.clone();
        moment.masked.input = trail.shown(input);
    }
    moment
}

fn moment(
    calling: &Calling,
    trail: &Trail,
    event: HookEvent,
    run: HookRunId,
    input: &Json,
) -> HookMoment {
    HookMoment {
        event,
        run,
        invocation: trail.invocation,
        tool: calling.tool.id.clone(),
        namespace: (&calling.tool.namespace).into(),
        name: (&calling.tool.name).into(),
        input: input.clone(),
        actor: trail.planned.actor.clone(),
        session: trail.planned.session.clone(),
        decision: (event == HookEvent::PermissionRequest).then_some(Decision::Ask),
        output: SeenOutput::default(),
        error: None,
        masked: Masked { input: trail.shown(input), output: SeenOutput::default() },
    }
}

/// Shows a hook what the tool gave back.
pub(super) fn show_output(moment: &mut HookMoment, trail: &Trail, ending: &Arc<Ending>) {
    moment.output = SeenOutput::of(ending);
    // Without anything to hide it is the same.
    moment.masked.output = moment.output.clone();
    if let Some(scrubber) = trail.scrubber()
        && let Some(output) = moment.output.get()
    {
        moment.masked.output = scrubber.json(output).into();
    }
}

/// Waits until somebody wants the call stopped. Reports of executors do not exist this early, so
/// waking up without a reason only means to wait on.
pub(super) async fn aborted(calling: &Calling) -> AbortReason {
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

