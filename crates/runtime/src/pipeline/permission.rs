//! Stage 7: may it run?
//!
//! ```text
//! A  facts of the tool for this input, classifiers included
//! B  rules, policies, grants, opinions of hooks and the mode give a verdict
//! C  deny → the call ends
//! D  ask  → `permission_request` hooks may settle what no rule decides; else a person is asked
//! E  what a person changed is judged again
//! F  `permission_decision` hooks are notified of the allow or deny
//! G  allow → a permit, the only way into the next stages
//! ```

use std::sync::Arc;

use assent_journal::{Binding, Claim};
use assent_json::{Digest, Json};
use assent_policy::{Decision, GrantKey, Verdict};
use assent_protocol::agent_tool::{
    ErrorClass, ExclusionReason, HookEvent, InvocationStatus, TerminalStatus,
};

use super::{
    Calling, Context, Rules, Stage, Stop, Trail,
    ask::{self, ApprovalFlow, Approved},
    hook_stage,
    pre_hooks::Hooked,
    verdict::{self, Judged},
};
use crate::{catalog::SafetyFacts, hooks};

/// A call that may run.
pub(crate) struct Permitted {
    pub(crate) calling: Calling,
    pub(crate) permit: Permit,
    pub(crate) safety: SafetyFacts,
}

/// The permission to run one exact call. Nothing outside this module can make one.
pub(crate) struct Permit {
    /// What the executor gets.
    call_input: Json,
    /// The digest of the tool's definition when it was judged.
    definition: Digest,
    /// What a person approved, if one was asked.
    binding: Option<Arc<Binding>>,
    /// What running the call uses up.
    claims: Vec<Claim>,
    /// The grant behind the permission, if its uses are counted.
    grant: Option<GrantKey>,
    /// The generation of the rules under which it was judged.
    generation: u64,
}

impl Permit {
    pub(crate) fn call_input(&self) -> &Json {
        &self.call_input
    }

    pub(crate) fn definition(&self) -> Digest {
        self.definition
    }

    pub(crate) fn binding(&self) -> Option<&Binding> {
        self.binding.as_deref()
    }

    pub(crate) fn claims(&self) -> Vec<Claim> {
        self.claims.clone()
    }

    pub(crate) fn grant(&self) -> Option<&GrantKey> {
        self.grant.as_ref()
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }
}

pub(crate) async fn run(ctx: &Context, call: Hooked, trail: &mut Trail) -> Result<Permitted, Stop> {
    let Hooked { calling, permission_input } = call;
    let rules = ctx.rules();
    let judged = verdict::judge(ctx, &rules, &calling, trail, permission_input);
    if !judged.safety.enabled {
        return Err(switched_off(&calling));
    }
    let settled = settle(ctx, &rules, &calling, trail, judged).await;
    if let Err(stop) = &settled
        && stop.status == TerminalStatus::Denied
    {
        let input = trail.inputs.permission.clone().unwrap_or_else(|| trail.inputs.model.clone());
        notify_hooks(ctx, &calling, trail, &input, Decision::Deny).await;
    }
    let settled = settled?;
    notify_hooks(ctx, &calling, trail, &settled.call_input, Decision::Allow).await;
    trail.inputs.call = Some(settled.call_input.clone());
    trail.enter(InvocationStatus::Approved);
    let permit = Permit {
        call_input: settled.call_input,
        definition: calling.tool.digest,
        binding: settled.binding,
        claims: settled.claims,
        grant: settled.grant,
        generation: rules.generation,
    };
    Ok(Permitted { calling, permit, safety: settled.safety })
}

/// A tool may say that it cannot be used for some inputs.
fn switched_off(calling: &Calling) -> Stop {
    let message = format!("`{}` is switched off for this input", calling.tool.name);
    let reason = ExclusionReason::FeatureDisabled;
    let stop =
        Stop::new(Stage::Permission, TerminalStatus::Blocked, ErrorClass::BlockedTool, message);
    Stop { barred_by: Some(reason), ..stop.coded(reason.as_str()) }
}

/// A call that was allowed, by a verdict or by a person.
struct Settled {
    call_input: Json,
    safety: SafetyFacts,
    binding: Option<Arc<Binding>>,
    claims: Vec<Claim>,
    grant: Option<GrantKey>,
}

impl From<Approved> for Settled {
    fn from(approved: Approved) -> Self {
        let Approved { input, safety, binding } = approved;
        let claim = Claim { key: format!("approval:{}", binding.approval).into(), limit: 1 };
        let (binding, claims) = (Some(binding), vec![claim]);
        Self { call_input: input, safety, binding, claims, grant: None }
    }
}

/// Steps C and D. What a person approved before a crash stays approved, unless it is denied now.
async fn settle(
    ctx: &Context,
    rules: &Arc<Rules>,
    calling: &Calling,
    trail: &mut Trail,
    judged: Judged,
) -> Result<Settled, Stop> {
    if let Some(binding) = &calling.resumed.approved
        && judged.verdict.decision != Decision::Deny
    {
        let input = trail.inputs.call.clone().unwrap_or(judged.input);
        let binding = Arc::clone(binding);
        return Ok(Approved { input, safety: judged.safety, binding }.into());
    }
    let is_new = calling.resumed.asked.is_none();
    let judged = if judged.verdict.decision == Decision::Ask && is_new {
        request_hooks(ctx, rules, calling, trail, judged).await?
    } else {
        judged
    };
    match judged.verdict.decision {
        Decision::Allow => {
            verdict::record(trail, rules, calling, &judged, Vec::new());
            let claims = grant_claims(rules, &judged.verdict);
            let grant = judged.verdict.grant.filter(|_| !claims.is_empty());
            let (call_input, safety) = (judged.input, judged.safety);
            Ok(Settled { call_input, safety, binding: None, grant, claims })
        }
        Decision::Deny => {
            verdict::record(trail, rules, calling, &judged, Vec::new());
            Err(verdict::denied(&judged.verdict))
        }
        Decision::Ask => {
            if is_new {
                let question = verdict::question(ctx, rules, calling, trail, &judged);
                let suggested = verdict::suggestions(&question, trail);
                verdict::record(trail, rules, calling, &judged, suggested);
            }
            let approved = ask::person(ApprovalFlow { ctx, rules, calling, trail }, judged).await?;
            Ok(approved.into())
        }
    }
}

/// Runs hooks that answer in place of a person. Their opinion counts like that of any other hook: it settles
/// what no rule decides, and never overrides a rule that asks.
async fn request_hooks(
    ctx: &Context,
    rules: &Rules,
    calling: &Calling,
    trail: &mut Trail,
    judged: Judged,
) -> Result<Judged, Stop> {
    let hooks: Vec<_> = hook_stage::matching(ctx, calling, HookEvent::PermissionRequest).collect();
    if hooks.is_empty() {
        return Ok(judged);
    }
    let stage = Stage::Permission;
    trail.checkpoint().await.map_err(|error| Stop::unrecorded(stage, &error))?;
    let input = hook_stage::run_all(calling, trail, &hooks, judged.input, stage).await?;
    trail.inputs.permission = Some(input.clone());
    Ok(verdict::judge(ctx, rules, calling, trail, input))
}

/// A grant with counted uses is used up by running, and so are those that it was delegated from.
fn grant_claims(rules: &Rules, verdict: &Verdict) -> Vec<Claim> {
    let Some((grant, _)) = verdict.grant.as_ref().and_then(|key| rules.grants.get(key)) else {
        return Vec::new();
    };
    let chain = std::iter::once(grant.id()).chain(grant.ancestors());
    let limit = |key| rules.grants.get(key).and_then(|(grant, _)| grant.uses());
    let claim = |key| limit(key).map(|limit| Claim { key: format!("grant:{key}").into(), limit });
    chain.filter_map(claim).collect()
}

/// Step F. These hooks only listen: their effects change nothing.
async fn notify_hooks(
    ctx: &Context,
    calling: &Calling,
    trail: &mut Trail,
    input: &Json,
    decision: Decision,
) {
    for hook in hook_stage::matching(ctx, calling, HookEvent::PermissionDecision) {
        let mut moment = hook_stage::moment(calling, trail, hook.event, input);
        moment.decision = Some(decision);
        hooks::run(trail, hook, &moment).await;
    }
}
