//! Opinions about a call.

use std::borrow::Cow;

use assent_ids::{HookId, RuleId};
use assent_protocol::agent_tool::{ReasonType, RuleSource};

use crate::{Decision, Opinion, PolicyError, PolicyMatch, Reason};

/// The opinions of rules, policies and hooks about a call.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) reasons: Vec<Reason>,
    pub(crate) errors: Vec<PolicyError>,
    /// Set if a rule, a policy or an authoritative hook allows the call.
    pub(crate) vouched: bool,
    /// The authoritative hook that allows the call; of several, the first by name.
    pub(crate) authoritative: Option<HookId>,
    /// Set if only a person can answer.
    pub(crate) immune: bool,
}

/// A rule or a policy that matched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Match<'p> {
    pub(crate) kind: ReasonType,
    pub(crate) decision: Decision,
    pub(crate) rule: &'p RuleId,
    pub(crate) source: Option<RuleSource>,
    pub(crate) bypass_immune: bool,
}

impl<'p> From<&'p PolicyMatch> for Match<'p> {
    fn from(matched: &'p PolicyMatch) -> Self {
        let PolicyMatch { policy, decision, source, bypass_immune } = matched;
        Self {
            kind: ReasonType::Policy,
            decision: *decision,
            rule: policy,
            source: *source,
            bypass_immune: *bypass_immune,
        }
    }
}

impl Findings {
    pub(crate) fn matched(&mut self, found: Match<'_>) {
        self.vouched |= found.decision == Decision::Allow;
        self.immune |= found.bypass_immune;
        let message = match found.decision {
            Decision::Allow => "a rule allows the call",
            Decision::Ask => "a rule requires a person to be asked",
            Decision::Deny => "a rule denies the call",
        };
        self.reasons.push(Reason {
            rule: Some(found.rule.clone()),
            source: found.source,
            ..Reason::new(found.kind, found.decision, message)
        });
    }

    pub(crate) fn hook(&mut self, opinion: &Opinion) {
        let settles = opinion.authoritative && opinion.decision == Decision::Allow;
        if settles {
            self.vouched = true;
            let first = self.authoritative.take().into_iter().chain([opinion.hook.clone()]).min();
            self.authoritative = first;
        }
        let reason = Reason::new(ReasonType::Hook, opinion.decision, "a hook has decided");
        let message = opinion.reason.clone().map_or(reason.message, Cow::Owned);
        self.reasons.push(Reason { hook: Some(opinion.hook.clone()), message, ..reason });
    }

    pub(crate) fn say(&mut self, kind: ReasonType, decision: Decision, message: &'static str) {
        self.reasons.push(Reason::new(kind, decision, message));
    }

    /// Describes what could not be evaluated.
    pub(crate) fn not_evaluated(&self) -> Option<String> {
        let mut errors: Vec<_> = self.errors.iter().collect();
        errors.sort();
        errors.dedup();
        let errors: Vec<_> = errors.into_iter().map(ToString::to_string).collect();
        (!errors.is_empty()).then(|| errors.join(", "))
    }

    /// Returns the strictest opinion so far.
    pub(crate) fn strictest(&self) -> Option<Decision> {
        self.reasons.iter().map(|reason| reason.decision).max()
    }
}
