//! The record of a decision, made from a verdict.

use assent_ids::DecisionId;
use assent_journal::{ClassifierNote, Decided, RuleNote};
use assent_policy::{Decision, Mode, Reason, Verdict};
use assent_protocol::agent_tool::ReasonType;

/// The decision that follows from a verdict, with the rules and policies behind it.
pub(super) fn of_verdict(id: DecisionId, mode: Mode, verdict: &Verdict) -> Decided {
    Decided {
        rules: rules(verdict),
        policies: policies(verdict),
        grant: verdict.grant.as_ref().map(|grant| grant.to_string().into()),
        ..plain(id, verdict.decision, mode, verdict.decisive())
    }
}

/// A decision with its reason and nothing else.
pub(super) fn plain(
    id: DecisionId,
    decision: Decision,
    mode: Mode,
    reason: Option<&Reason>,
) -> Decided {
    Decided {
        id,
        behavior: decision.behavior(),
        mode: mode.as_str().into(),
        reason: reason.map_or(ReasonType::Other, |reason| reason.kind),
        message: reason.map(|reason| reason.line().into()),
        source: reason.and_then(|reason| reason.source),
        rules: Vec::new(),
        policies: Vec::new(),
        updated_input: None,
        user_modified: false,
        feedback: None,
        suggested: Vec::new(),
        classifiers: Vec::<ClassifierNote>::new(),
        grant: None,
        approval: None,
        expires_at: None,
        considered: None,
    }
}

/// The rules behind a verdict, each once, the deciding one first.
fn rules(verdict: &Verdict) -> Vec<RuleNote> {
    let mut spoke: Vec<RuleNote> = Vec::new();
    for note in verdict.reasons.iter().filter_map(named) {
        if !spoke.contains(&note) {
            spoke.push(note);
        }
    }
    spoke
}

/// The rule behind a reason. A grant takes the place of a rule, and is named like one.
fn named(reason: &Reason) -> Option<RuleNote> {
    let grant = || reason.grant.as_ref().and_then(|grant| grant.as_str().parse().ok());
    let id = reason.rule.clone().or_else(grant)?;
    Some(RuleNote { id, source: reason.source })
}

/// The policies behind a verdict.
pub(super) fn policies(verdict: &Verdict) -> Vec<String> {
    let of_policies = verdict.reasons.iter().filter(|reason| reason.kind == ReasonType::Policy);
    let mut named: Vec<String> =
        of_policies.filter_map(|reason| reason.rule.as_ref()).map(ToString::to_string).collect();
    named.dedup();
    named
}
