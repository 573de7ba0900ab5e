//! The last check before a tool runs. Hours may have passed since the permission; if anything differs from what
//! was allowed, the call does not run.

use assent_json::Json;
use assent_policy::Decision;
use assent_protocol::agent_tool::{ErrorClass, TerminalStatus};

use super::Admitted;
use crate::{
    approval::mismatch,
    pipeline::{
        Context, Stage, Stop, Trail,
        approved_call::{QuestionKey, binding, environment, view},
        verdict,
    },
    results::{APPROVAL_EXPIRED, APPROVAL_MISMATCH, DEFINITION_CHANGED, RULES_CHANGED},
};

/// What an executor gets of a call that is as it was allowed.
pub(super) struct Verified {
    pub(super) input: Json,
    /// What the call would touch beyond its input, if a person approved that.
    pub(super) environment: Option<Json>,
}

pub(super) fn unchanged(ctx: &Context, call: &Admitted, trail: &Trail) -> Result<Verified, Stop> {
    same_tool(call)?;
    recorded_input(call, trail)?;
    same_rules(ctx, call, trail)?;
    let environment = as_approved(ctx, call, trail)?;
    Ok(Verified { input: call.permit.call_input().clone(), environment })
}

fn same_tool(call: &Admitted) -> Result<(), Stop> {
    let tool = &call.calling.tool;
    if tool.is_current() && tool.digest == call.permit.definition() {
        return Ok(());
    }
    let message = format!("`{}` has changed since the call was allowed: call it again", tool.name);
    Err(refused(DEFINITION_CHANGED, message))
}

/// The input must follow from what was judged by recorded changes alone.
fn recorded_input(call: &Admitted, trail: &Trail) -> Result<(), Stop> {
    if trail.explains(call.permit.call_input()) {
        return Ok(());
    }
    Err(refused("input_changed", "the input is not the one that was allowed".to_owned()))
}

/// If the rules have changed, the call is judged again. What a person approved stays approved, unless it is
/// denied now.
fn same_rules(ctx: &Context, call: &Admitted, trail: &Trail) -> Result<(), Stop> {
    let rules = ctx.rules();
    if rules.generation == call.permit.generation() {
        return Ok(());
    }
    let input = call.permit.call_input();
    let verdict = verdict::decide(ctx, &rules, &call.calling, trail, input, &call.safety);
    let enough = if call.permit.binding().is_some() { Decision::Ask } else { Decision::Allow };
    if verdict.decision <= enough {
        return Ok(());
    }
    let message = "the rules have changed since the call was allowed: call it again".to_owned();
    Err(refused(RULES_CHANGED, message))
}

/// Computes again what a person approved, from what is about to run, and compares. Returns the environment.
fn as_approved(ctx: &Context, call: &Admitted, trail: &Trail) -> Result<Option<Json>, Stop> {
    let Some(approved) = call.permit.binding() else { return Ok(None) };
    let Some(asked) = &trail.asked else {
        let message = "no question was asked about what was approved: ask again".to_owned();
        return Err(refused(APPROVAL_MISMATCH, message));
    };
    let input = call.permit.call_input();
    let view = view(&call.calling, trail, input).digest;
    let key = QuestionKey { approval: asked.binding.approval, view };
    let environment = environment(&call.calling, input);
    let running = binding(ctx, &call.calling, trail, input, environment.as_ref(), key);
    if let Some(mismatch) = mismatch(approved, &running) {
        return Err(refused(APPROVAL_MISMATCH, format!("{mismatch}: ask again")));
    }
    if trail.approved_until.is_some_and(|until| ctx.now() <= until) {
        return Ok(environment);
    }
    let message = "the approval ended before the call could begin: ask again".to_owned();
    Err(refused(APPROVAL_EXPIRED, message))
}

fn refused(code: &'static str, message: String) -> Stop {
    Stop::new(Stage::Execute, TerminalStatus::Blocked, ErrorClass::PolicyBlocked, message)
        .coded(code)
}
