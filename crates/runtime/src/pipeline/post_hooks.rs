//! Stage 11: what do hooks say about the outcome? They may add context, ask the agent to stop, or, for tools
//! behind a protocol, replace the output. They cannot undo what the tool did: a hook that fails here leaves a
//! warning.

use std::sync::Arc;

use assent_json::Json;
use assent_protocol::agent_tool::{ErrorClass, HookEvent, InvocationStatus, ToolKind};

use super::{
    Calling, Context, Trail, hook_stage,
    map_result::{self, Ending, Mapped, Worked},
};
use crate::{
    executor::{Body, Failure},
    hooks::{self, HookEffects, HookOutcome, Registration},
};

/// A call after its `post_tool_use` hooks.
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
    for hook in hook_stage::matching(ctx, &calling, event) {
        // The first hook moves the call to this status; it stays there.
        trail.enter(InvocationStatus::PostHooksRunning);
        trail.hold_outcome(&ending, ran_alone);
        let moment = hook_stage::moment_after(&calling, trail, event, &ending);
        match hooks::run(trail, hook, &moment).await {
            HookOutcome::Effects(effects) => apply(&calling, trail, hook, &mut ending, *effects),
            HookOutcome::NoEffect | HookOutcome::Ignored => {}
            HookOutcome::Failed(message) => warn(trail, hook, &message),
        }
    }
    PostHooked { calling, ending, ran_alone }
}

fn apply(
    calling: &Calling,
    trail: &mut Trail,
    hook: &Registration,
    ending: &mut Arc<Ending>,
    effects: HookEffects,
) {
    let context = trail.scrub_all(&effects.context);
    trail.hooks.context.extend(context);
    if let Some(stop) = effects.stop {
        trail.hooks.stop = Some(trail.scrub(&stop.reason));
    }
    let Some(output) = effects.update_output else { return };
    let Ending::Worked(worked) = Arc::make_mut(ending) else {
        return warn(trail, hook, "there is no output to replace");
    };
    if let Err(why) = replace(calling, worked, output) {
        return warn(trail, hook, &why);
    }
    trail.hooks.output_runs.extend(trail.hooks.runs.last());
}

/// Maps the output that a hook provides instead. It has to fit the tool's output schema.
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
