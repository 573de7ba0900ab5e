//! Stage 7: may it run?
//!
//! ```text
//! A  facts of the tool for this input, classifiers included
//! B  rules, policies, grants, opinions of hooks and the mode give a verdict
//! C  deny → the call ends
//! D  ask  → `permission_request` hooks may settle what no rule speaks of; else a person is asked
//! E  what a person changed is judged again
//! F  `permission_decision` hooks are notified, of an allow and of a deny
//! G  allow → a permit, the only way into the next stages
//! ```

use std::sync::Arc;

use assent_ids::{DecisionId, UnixMillis};
use assent_journal::{Binding, Claim, Considered, OpinionNote};
use assent_json::{Digest, Json};
use assent_policy::{
    Decision, GrantKey, Opinion, Question, Reason, Safety, Verdict, suggest, suggest_tool,
};
use assent_protocol::agent_tool::{
    ErrorClass, ExclusionReason, HookEvent, InvocationStatus, ReasonType, SuggestedUpdate,
    TerminalStatus,
};

use super::{
    Calling, Context, Rules, Stage, Stop, Trail,
    ask::{self, Asking},
    judgement::{self, policies},
    pre_hooks::{self, Hooked},
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
    /// What the tool was when it was judged.
    definition: Digest,
    /// What a person agreed to, if one was asked.
    binding: Option<Arc<Binding>>,
    /// What is used up by running it.
    claims: Vec<Claim>,
    /// The grant that it runs on, if its uses are counted.
    grant: Option<GrantKey>,
    /// The rules under which it was judged.
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
    let safety = judge(ctx, &calling, &permission_input);
    if !safety.enabled {
        return Err(switched_off(&calling));
    }
    let verdict = decide(ctx, &rules, &calling, trail, &permission_input, &safety);
    let judged = Judged { input: permission_input.clone(), safety, verdict };
    let settled = match settle(ctx, &rules, &calling, trail, judged).await {
        Ok(settled) => settled,
        Err(stop) => {
            if stop.status == TerminalStatus::Denied {
                let input = trail.inputs.permission.clone().unwrap_or(permission_input);
                observe_decision(ctx, &calling, trail, &input, Decision::Deny).await;
            }
            return Err(stop);
        }
    };
    observe_decision(ctx, &calling, trail, &settled.call_input, Decision::Allow).await;
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

/// An input with what is thought of it.
#[derive(Clone)]
pub(super) struct Judged {
    pub(super) input: Json,
    pub(super) safety: SafetyFacts,
    pub(super) verdict: Verdict,
}

/// A call that was allowed, in whatever way.
pub(super) struct Settled {
    pub(super) call_input: Json,
    pub(super) safety: SafetyFacts,
    pub(super) binding: Option<Arc<Binding>>,
    pub(super) claims: Vec<Claim>,
    pub(super) grant: Option<GrantKey>,
}

/// Steps C and D. What a person has agreed to before a crash stays agreed to, unless it is denied now.
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
        return Ok(ask::agreed(trail, judged, Arc::clone(binding)));
    }
    let is_new = calling.resumed.asked.is_none();
    let judged = match judged.verdict.decision {
        Decision::Ask if is_new => {
            Box::pin(request_hooks(ctx, rules, calling, trail, judged)).await?
        }
        Decision::Allow | Decision::Ask | Decision::Deny => judged,
    };
    match judged.verdict.decision {
        Decision::Allow => {
            let claims = grant_claims(rules, &judged.verdict);
            let grant = judged.verdict.grant.clone().filter(|_| !claims.is_empty());
            let (call_input, safety) = (judged.input.clone(), judged.safety.clone());
            record(trail, rules, calling, judged, Vec::new());
            Ok(Settled { call_input, safety, binding: None, grant, claims })
        }
        Decision::Deny => {
            let stop = denied(&judged.verdict);
            record(trail, rules, calling, judged, Vec::new());
            Err(stop)
        }
        Decision::Ask => {
            if is_new {
                let question = question(ctx, rules, calling, trail, &judged);
                let suggested = suggestions(&question, trail);
                record(trail, rules, calling, judged.clone(), suggested);
            }
            // Boxed, as is every wait for the world outside: calls that need none stay small.
            Box::pin(ask::person(Asking { ctx, rules, calling, trail }, judged)).await
        }
    }
}

/// Hooks that stand in for a person. Their opinion counts as that of any hook: it settles what nobody
/// else speaks of, and never overrides a rule that wants a person asked.
async fn request_hooks(
    ctx: &Context,
    rules: &Arc<Rules>,
    calling: &Calling,
    trail: &mut Trail,
    judged: Judged,
) -> Result<Judged, Stop> {
    let mut registrations =
        pre_hooks::matching(ctx, calling, HookEvent::PermissionRequest).peekable();
    if registrations.peek().is_none() {
        return Ok(judged);
    }
    let stage = Stage::Permission;
    trail.checkpoint().await.map_err(|error| Stop::unrecorded(stage, &error))?;
    let input = pre_hooks::all(calling, trail, registrations, judged.input, stage).await?;
    trail.inputs.permission = Some(input.clone());
    let safety = judge(ctx, calling, &input);
    let verdict = decide(ctx, rules, calling, trail, &input, &safety);
    Ok(Judged { input, safety, verdict })
}

/// Step A.
pub(super) fn judge(ctx: &Context, calling: &Calling, input: &Json) -> SafetyFacts {
    calling.tool.safety.judge(input, &ctx.classifiers)
}

/// Step B.
pub(super) fn decide(
    ctx: &Context,
    rules: &Rules,
    calling: &Calling,
    trail: &Trail,
    input: &Json,
    safety: &SafetyFacts,
) -> Verdict {
    rules.policy.decide(&question_about(ctx, rules, calling, trail, input, safety), &rules.grants)
}

pub(super) fn question<'a>(
    ctx: &Context,
    rules: &Rules,
    calling: &'a Calling,
    trail: &'a Trail,
    judged: &'a Judged,
) -> Question<'a> {
    question_about(ctx, rules, calling, trail, &judged.input, &judged.safety)
}

fn question_about<'a>(
    ctx: &Context,
    rules: &Rules,
    calling: &'a Calling,
    trail: &'a Trail,
    input: &'a Json,
    safety: &SafetyFacts,
) -> Question<'a> {
    let tool = &calling.tool;
    Question {
        tool_id: tool.id.as_str(),
        namespace: tool.namespace.as_str(),
        name: tool.name.as_str(),
        qualified: Some(tool.qualified()),
        aliases: &tool.aliases,
        operation: tool.operation(),
        definition: tool.digest,
        safety: Safety {
            read_only: safety.read_only,
            destructive: safety.destructive,
            open_world: safety.open_world,
        },
        requires_approval: tool.definition.permission.approval_required == Some(true),
        actor: trail.planned.actor.as_deref(),
        session: trail.planned.session.as_deref(),
        input: input.root(),
        mode: rules.mode,
        opinions: &trail.opinions,
        now: ctx.now(),
    }
}

/// Rules that would spare the question next time. Where arguments are sensitive they say nothing of
/// arguments, not even by digest: what few people would guess, a machine guesses.
pub(super) fn suggestions(question: &Question<'_>, trail: &Trail) -> Vec<SuggestedUpdate> {
    if trail.scrubber().is_some() {
        suggest_tool(question).into_iter().collect()
    } else {
        suggest(question)
    }
}

/// Records a verdict as a decision.
pub(super) fn record(
    trail: &mut Trail,
    rules: &Rules,
    calling: &Calling,
    judged: Judged,
    suggested: Vec<SuggestedUpdate>,
) {
    let id: DecisionId = trail.derive_id();
    let mut decided = judgement::of_verdict(id, rules.mode, &judged.verdict);
    decided.considered = Some(Box::new(considered(trail, calling, &judged)));
    decided.classifiers = judged.safety.notes;
    for note in &mut decided.classifiers {
        note.reason = note.reason.as_deref().map(|reason| trail.scrub(reason));
    }
    decided.suggested = suggested;
    let grant = judged.verdict.grant.as_ref();
    decided.expires_at = grant.and_then(|key| end_of_grant(rules, key));
    trail.decide(decided);
}

/// What the decision was about, as records show it.
fn considered(trail: &Trail, calling: &Calling, judged: &Judged) -> Considered {
    let (tool, shown) = (&calling.tool, trail.shown(&judged.input));
    let note = |opinion: &Opinion| OpinionNote {
        hook: opinion.hook.clone(),
        behavior: opinion.decision.behavior(),
        reason: opinion.reason.clone(),
        authoritative: opinion.authoritative,
    };
    Considered {
        namespace: (&tool.namespace).into(),
        name: (&tool.name).into(),
        aliases: tool.aliases.clone(),
        operation: tool.operation().map(Into::into),
        read_only: judged.safety.read_only,
        destructive: judged.safety.destructive,
        open_world: judged.safety.open_world,
        requires_approval: tool.definition.permission.approval_required == Some(true),
        has_hidden_values: !shown.is_same(&judged.input),
        input: (!judged.input.is_same(&trail.inputs.model)).then_some(shown),
        opinions: trail.opinions.iter().map(note).collect(),
    }
}

/// When the permission ends that a grant gives, in milliseconds since 1970.
fn end_of_grant(rules: &Rules, grant: &GrantKey) -> Option<u64> {
    let (grant, _) = rules.grants.get(grant)?;
    grant.not_after().map(UnixMillis::get)
}

/// A grant that is counted is used up by running, and so are those it was handed on from.
fn grant_claims(rules: &Rules, verdict: &Verdict) -> Vec<Claim> {
    let Some((grant, _)) = verdict.grant.as_ref().and_then(|key| rules.grants.get(key)) else {
        return Vec::new();
    };
    let chain = std::iter::once(grant.id()).chain(grant.ancestors());
    let limit = |key| rules.grants.get(key).and_then(|(grant, _)| grant.uses());
    let claim = |key| limit(key).map(|limit| Claim { key: format!("grant:{key}").into(), limit });
    chain.filter_map(claim).collect()
}

pub(super) fn denied(verdict: &Verdict) -> Stop {
    let reason = verdict.decisive();
    let class = match reason.map(|reason| reason.kind) {
        Some(ReasonType::Policy) => ErrorClass::PolicyBlocked,
        _ => ErrorClass::PermissionDenied,
    };
    let message = reason.map_or_else(|| "it is not allowed".to_owned(), told);
    let stop = Stop::new(Stage::Permission, TerminalStatus::Denied, class, message);
    Stop { policies: policies(verdict), ..stop }
}

/// A reason as the caller hears it. Sensitive values were taken out of a hook's words when it spoke.
fn told(reason: &Reason) -> String {
    match &reason.hook {
        Some(_) => format!("{reason}: {}", reason.message),
        None => reason.to_string(),
    }
}

/// Step F. These hooks only listen: their effects change nothing.
async fn observe_decision(
    ctx: &Context,
    calling: &Calling,
    trail: &mut Trail,
    input: &Json,
    decision: Decision,
) {
    let mut moment = None;
    for hook in pre_hooks::matching(ctx, calling, HookEvent::PermissionDecision) {
        let moment = pre_hooks::moment_for(&mut moment, calling, trail, hook.event, input);
        moment.decision = Some(decision);
        hooks::run(trail, hook, moment).await;
    }
}
