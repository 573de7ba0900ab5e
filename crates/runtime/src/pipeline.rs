//! The one way a tool is called.
//!
//! | #  | stage           | in → out                | may end with                                               |
//! |----|-----------------|-------------------------|------------------------------------------------------------|
//! | 1  | [`resolve`]     | `IncomingCall` → `Resolved` | unknown_tool, blocked_tool, setup_required, …              |
//! | 2  | [`deferral`]    | `Resolved` → `Loaded`   | schema_not_loaded                                          |
//! | 3  | [`parse`]       | `Loaded` → `Parsed`     | schema_validation_failed                                   |
//! | 4  | [`validate`]    | `Parsed` → `Validated`  | invalid_arguments, sandbox_violation, setup_required, …    |
//! | 5  | [`observe`]     | `Validated` → `Observed`| input_mutation_failed                                      |
//! | 6  | [`pre_hooks`]   | `Observed` → `Hooked`   | hook_blocked, hook_failed, input_mutation_failed           |
//! | 7  | [`permission`]  | `Hooked` → `Permitted`  | permission_denied, approval_rejected, policy_blocked, timeout |
//! | 8  | [`schedule`]    | `Permitted` → `Admitted`| canceled, sibling_canceled                                 |
//! | 9  | [`execute`]     | `Admitted` → `Executed` | policy_blocked if anything changed since the permission    |
//! | 10 | [`map_result`]  | `Executed` → `Mapped`   | – (failure is data from here on)                           |
//! | 11 | [`post_hooks`]  | `Mapped` → `PostHooked` | –                                                          |
//! | 12 | [`persist`]     | `PostHooked` → `Persisted` | –                                                       |
//! | 13 | [`emit`]        | everything → `ToolResult` | –                                                        |
//!
//! Each stage takes what the one before it made, so that none can be skipped: only `permission` makes
//! a [`permission::Permit`], and `execute` cannot be reached without one. A stage that ends the call
//! returns a [`Stop`]; the terminal result is made in one place, by `emit`.
//!
//! The standard checks for deferred tools after parsing. There is no schema to parse with then, so the
//! check comes before.

/// 1. Which tool is meant?
pub(crate) mod resolve;

/// 2. Does the caller know its schema?
pub(crate) mod deferral;

/// 3. Do the arguments fit the schema?
pub(crate) mod parse;

/// 4. Does the tool accept the values?
pub(crate) mod validate;

/// 5. What do hooks and people get to see?
pub(crate) mod observe;

/// 6. What do hooks say?
pub(crate) mod pre_hooks;

/// 7. May it run?
pub(crate) mod permission;

/// 8. When is its turn?
pub(crate) mod schedule;

/// 9. Run it.
pub(crate) mod execute;

/// 10. What does the output mean?
pub(crate) mod map_result;

/// 11. What do hooks say about the outcome?
pub(crate) mod post_hooks;

/// 12. What is kept of the result?
pub(crate) mod persist;

/// 13. Report how it ended.
pub(crate) mod emit;

mod approved_call;
mod ask;
mod calling;
pub(crate) mod checkpoint;
mod context;
mod decision;
mod hook_stage;
mod mutation;
pub(crate) mod outcome;
mod result;
mod stage;
mod stop;
mod trail;
mod verdict;

use std::sync::Arc;

use assent_protocol::agent_tool::ToolResult;
use tracing::Instrument as _;

use crate::{scheduler::Slot, telemetry};

pub(crate) use calling::{Calling, IncomingCall, Resumed};
pub(crate) use context::{Context, Rules};
pub use stage::Stage;
pub(crate) use stop::Stop;
pub(crate) use trail::Trail;

/// Takes a call through all stages. It always ends in exactly one result.
pub(crate) async fn run(
    ctx: &Context,
    slot: &Slot,
    start: Start,
    trail: &mut Trail,
) -> Arc<ToolResult> {
    trail.scheduler_policy = slot.policy().cloned();
    let began = trail.now().get();
    let span = telemetry::span(trail.invocation, &trail.planned);
    let result = async {
        let end = match start {
            Start::New(call) => stages(ctx, call, trail).await,
            Start::BeforeHooks(call) => from_hooks(ctx, call, trail).await,
            Start::BeforePermission(call) => from_permission(ctx, call, trail).await,
            Start::Finished(done) => Ok(from_outcome(ctx, done, trail).await),
            Start::Over(end) => end,
        };
        emit::run(slot, trail, end).await // 13
    }
    .instrument(span.clone())
    .await;
    if !span.is_disabled() {
        telemetry::ended(&span, ctx.now().get().saturating_sub(began), &result);
    }
    result
}

/// Where a call enters the pipeline: at its beginning, or where a crash interrupted it.
pub(crate) enum Start {
    /// At the beginning.
    New(IncomingCall),
    /// Its `pre_tool_use` hooks were running.
    BeforeHooks(observe::Observed),
    /// A person was asked, or had approved it.
    BeforePermission(pre_hooks::Hooked),
    /// Its tool had finished, and hooks were looking at the outcome.
    Finished(map_result::Mapped),
    /// Its end is known.
    Over(Result<persist::Persisted, Stop>),
}

async fn stages(
    ctx: &Context,
    call: IncomingCall,
    trail: &mut Trail,
) -> Result<persist::Persisted, Stop> {
    let call = resolve::run(ctx, call, trail)?; // 1
    let call = deferral::run(call)?; // 2
    let call = parse::run(call, trail)?; // 3
    let call = validate::run(call, trail)?; // 4
    let call = observe::run(call, trail)?; // 5
    from_hooks(ctx, call, trail).await
}

async fn from_hooks(
    ctx: &Context,
    call: observe::Observed,
    trail: &mut Trail,
) -> Result<persist::Persisted, Stop> {
    let call = pre_hooks::run(ctx, call, trail).await?; // 6
    from_permission(ctx, call, trail).await
}

async fn from_permission(
    ctx: &Context,
    call: pre_hooks::Hooked,
    trail: &mut Trail,
) -> Result<persist::Persisted, Stop> {
    let call = permission::run(ctx, call, trail).await?; // 7
    let call = schedule::run(call, trail).await?; // 8
    let done = execute::run(ctx, call, trail).await?; // 9
    let done = map_result::run(done); // 10
    Ok(from_outcome(ctx, done, trail).await)
}

async fn from_outcome(
    ctx: &Context,
    done: map_result::Mapped,
    trail: &mut Trail,
) -> persist::Persisted {
    let done = post_hooks::run(ctx, done, trail).await; // 11
    persist::run(ctx, done, trail).await // 12
}
