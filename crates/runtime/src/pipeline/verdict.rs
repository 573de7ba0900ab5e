//! The verdict of rules, policies, grants and hooks on one input of a call. The permission stage, the
//! approval flow and the check before execution share it.

use assent_ids::{DecisionId, UnixMillis};
use assent_journal::{CallFacts, OpinionNote};
use assent_json::Json;
use assent_policy::{GrantKey, Opinion, Question, Reason, Safety, Verdict, suggest, suggest_tool};
use assent_protocol::agent_tool::{ErrorClass, ReasonType, SuggestedUpdate, TerminalStatus};

use super::{Calling, Context, Rules, Stage, Stop, Trail, decision};
use crate::catalog::SafetyFacts;

/// An input with the verdict on it.
#[derive(Clone)]
pub(super) struct Judged {
    pub(super) input: Json,
    pub(super) safety: SafetyFacts,
    pub(super) verdict: Verdict,
}

/// Judges an input: what it means for the tool's safety, and whether it may run under `rules`.
pub(super) fn judge(
    ctx: &Context,
    rules: &Rules,
    calling: &Calling,
    trail: &Trail,
    input: Json,
) -> Judged {
    let safety = calling.tool.safety.judge(&input, &ctx.classifiers);
    let verdict = decide(ctx, rules, calling, trail, &input, &safety);
    Judged { input, safety, verdict }
}

/// The verdict on an input whose safety is known.
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

/// The question to the policy that led to a verdict.
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
        opinions: &trail.hooks.opinions,
        now: ctx.now(),
    }
}

/// Rules that would make the question unnecessary next time. They do not mention sensitive arguments, not
/// even by digest, because short values could be guessed from a digest.
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
    judged: &Judged,
    suggested: Vec<SuggestedUpdate>,
) {
    let id: DecisionId = trail.derive_id();
    let mut decided = decision::of_verdict(id, rules.mode, &judged.verdict);
    decided.considered = Some(Box::new(facts(trail, calling, judged)));
    decided.classifiers.clone_from(&judged.safety.notes);
    for note in &mut decided.classifiers {
        note.reason = note.reason.as_deref().map(|reason| trail.scrub(reason));
    }
    decided.suggested = suggested;
    let grant = judged.verdict.grant.as_ref();
    decided.expires_at = grant.and_then(|key| expiry_of_grant(rules, key));
    trail.decide(decided);
}

/// The facts about the call that the decision is based on, as records show them.
fn facts(trail: &Trail, calling: &Calling, judged: &Judged) -> CallFacts {
    let (tool, shown) = (&calling.tool, trail.shown(&judged.input));
    let note = |opinion: &Opinion| OpinionNote {
        hook: opinion.hook.clone(),
        behavior: opinion.decision.behavior(),
        reason: opinion.reason.clone(),
        authoritative: opinion.authoritative,
    };
    CallFacts {
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
        opinions: trail.hooks.opinions.iter().map(note).collect(),
    }
}

/// When the permission of a grant expires, in milliseconds since 1970.
fn expiry_of_grant(rules: &Rules, grant: &GrantKey) -> Option<u64> {
    let (grant, _) = rules.grants.get(grant)?;
    grant.not_after().map(UnixMillis::get)
}

/// The end of a call that is denied.
pub(super) fn denied(verdict: &Verdict) -> Stop {
    let reason = verdict.decisive();
    let class = match reason.map(|reason| reason.kind) {
        Some(ReasonType::Policy) => ErrorClass::PolicyBlocked,
        _ => ErrorClass::PermissionDenied,
    };
    let message = reason.map_or_else(|| "it is not allowed".to_owned(), message);
    let stop = Stop::new(Stage::Permission, TerminalStatus::Denied, class, message);
    Stop { policies: decision::policies(verdict), ..stop }
}

/// A reason in words for the caller. Sensitive values were removed from the words of a hook when it ran.
fn message(reason: &Reason) -> String {
    match &reason.hook {
        Some(_) => format!("{reason}: {}", reason.message),
        None => reason.to_string(),
    }
}
