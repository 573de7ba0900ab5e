//! Stage 6: what do hooks say? Each may refuse, ask, allow, add context, change the input or stop the
//! call. Their opinions are only weighed in the next stage, together with rules and policies.

use assent_json::Json;
use assent_protocol::agent_tool::{HookEvent, InvocationStatus};

use super::{Calling, Context, Stage, Stop, Trail, hook_stage, observe::Observed};

/// A call after its `pre_tool_use` hooks. Its input is final: this is what will be judged.
pub(crate) struct Hooked {
    pub(crate) calling: Calling,
    pub(crate) permission_input: Json,
}

pub(crate) async fn run(ctx: &Context, call: Observed, trail: &mut Trail) -> Result<Hooked, Stop> {
    let Observed { calling, observable } = call;
    let stage = Stage::PreHooks;
    let hooks: Vec<_> = hook_stage::matching(ctx, &calling, HookEvent::PreToolUse).collect();
    let permission_input = if hooks.is_empty() {
        observable
    } else {
        trail.enter(InvocationStatus::PreHooksRunning);
        // Hooks may act on the outside world, so the call is made durable before they run.
        trail.checkpoint().await.map_err(|error| Stop::unrecorded(stage, &error))?;
        hook_stage::run_all(&calling, trail, &hooks, observable, stage).await?
    };
    if let Some(reason) = calling.control.aborted() {
        return Err(trail.stopped(stage, reason));
    }
    trail.inputs.permission = Some(permission_input.clone());
    Ok(Hooked { calling, permission_input })
}
