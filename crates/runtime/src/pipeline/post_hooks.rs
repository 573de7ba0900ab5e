//! Stage 11: what do hooks say to the outcome? They may add context, keep the agent from going on, or,
//! for tools behind a protocol, replace the output. They cannot undo what the tool did: a hook that
//! breaks here leaves a warning.

use std::sync::Arc;

use assent_json::Json;
use assent_protocol::agent_tool::{ErrorClass, HookEvent, InvocationStatus, ToolKind};

use super::{
    Calling, Context, Trail,
    map_result::{self, Ending, Mapped, Worked},
    pre_hooks,
};
use crate::{
    executor::{Body, Failure},
    hooks::{self, HookEffects, HookMoment, Ran, Registration},
};

/// A call at whose outcome hooks have looked.
pub(crate) struct PostHooked {
    pub(crate) calling: Calling,
    pub(crate) ending: Arc<Ending>,
    pub(crate) ran_alone: bool,
}

pub(crate) async fn run(ctx: &Context, done: Mapped, trail: &mut Trail) -> PostHooked {
    let Mapped { calling, ending, ran_alone } = done;
    let mut ending = Arc::new(ending);
    let event = match *ending {
        Ending::Worked(_) => HookEvent::PostToolUse,
        Ending::Broke(_) => HookEvent::PostToolUseFailure,
    };
    let mut moment = None;
    for hook in pre_hooks::matching(ctx, &calling, event) {
        // The first one brings it into this state; it stays there.
        trail.enter(InvocationStatus::PostHooksRunning);
        trail.hold_outcome(&ending, ran_alone);
        let now = shown(&mut moment, &calling, trail, event, &ending);
        match hooks::run(trail, hook, now).await {
            Ran::Said(effects) => {
                if effects.update_output.is_some() {
                    moment = None;
                }
                take(&calling, trail, hook, &mut ending, *effects);
            }
            Ran::Agreed | Ran::Silent => {}
            Ran::Broke(message) => warn(trail, hook, &message),
        }
    }
    PostHooked { calling, ending, ran_alone }
}

/// The moment as the next hook sees it, with what came of the call.
fn shown<'m>(
    seen: &'m mut Option<HookMoment>,
    calling: &Calling,
    trail: &mut Trail,
    event: HookEvent,
    ending: &Arc<Ending>,
) -> &'m HookMoment {
    let is_new = seen.is_none();
    let input = trail.inputs.executed().clone();
    let moment = pre_hooks::moment_for(seen, calling, trail, event, &input);
    match &**ending {
        Ending::Worked(_) if is_new => pre_hooks::show_output(moment, trail, ending),
        Ending::Worked(_) => {}
        Ending::Broke(broke) => moment.error = Some(broke.failure.class),
    }
    moment
}

fn take(
    calling: &Calling,
    trail: &mut Trail,
    hook: &Registration,
    ending: &mut Arc<Ending>,
    effects: HookEffects,
) {
    for text in &effects.context {
        let text = trail.scrub(text);
        trail.context.push(text);
    }
    if let Some(reason) = effects.stop {
        trail.stop = Some(trail.scrub(&reason));
    }
    let Some(output) = effects.update_output else { return };
    let Ending::Worked(worked) = Arc::make_mut(ending) else {
        return warn(trail, hook, "there is no output to replace");
    };
    if let Err(why) = replace(calling, worked, output) {
        return warn(trail, hook, &why);
    }
    if let Some(run) = trail.hooks.last() {
        trail.output_hooks.push(*run);
    }
}

/// Maps the output that a hook gives instead. The tool's own output schema still holds.
fn replace(calling: &Calling, worked: &mut Worked, output: Json) -> Result<(), String> {
    let kind = calling.tool.definition.declaration.tool_kind.known();
    let is_behind_protocol = matches!(
        kind,
        Some(ToolKind::McpTool | ToolKind::OpenapiOperation | ToolKind::PeerAgentTool)
    );
    if !is_behind_protocol {
        return Err("only the output of tools behind a protocol can be replaced".to_owned());
    }
    let body = match output.root().as_str() {
        Some(text) => Body::Text(text.to_owned()),
        None => Body::Structured(output),
    };
    worked.mapped = map_result::map(calling, body).map_err(|failure| failure.message)?;
    Ok(())
}

fn warn(trail: &mut Trail, hook: &Registration, message: &str) {
    let message = format!("the hook `{}` had no effect: {message}", hook.id);
    trail.warnings.push(Failure::new(ErrorClass::PostHookFailed, message));
}
