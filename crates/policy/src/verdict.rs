//! Verdicts and their reasons.

use std::{borrow::Cow, cmp::Reverse, fmt};

use assent_ids::{HookId, RuleId};
use assent_protocol::agent_tool::{ReasonType, RuleSource};

use crate::{Decision, GrantKey};

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The decision.
    pub decision: Decision,
    /// All opinions, the strictest first. The order does not depend on the order of rules.
    pub reasons: Vec<Reason>,
    /// The grant that turned an `ask` into an `allow`. The caller counts one of its uses.
    pub grant: Option<GrantKey>,
    /// What could not be evaluated; each is among the reasons as well. The decision is then `allow` only if a
    /// grant allows the call.
    pub errors: Vec<PolicyError>,
}

impl Verdict {
    /// Returns the reason that settled the decision.
    #[must_use]
    pub fn decisive(&self) -> Option<&Reason> {
        self.reasons.iter().find(|reason| reason.decisive)
    }

    /// Returns one line per reason, the decisive one first. No line contains a value of an argument.
    pub fn explain(&self) -> impl Iterator<Item = String> + '_ {
        let decisive = self.reasons.iter().filter(|reason| reason.decisive);
        let others = self.reasons.iter().filter(|reason| !reason.decisive);
        decisive.chain(others).map(ToString::to_string)
    }
}

/// One opinion about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The kind of the reason.
    pub kind: ReasonType,
    /// The decision for which it is a reason.
    pub decision: Decision,
    /// The rule or policy, if the opinion comes from one.
    pub rule: Option<RuleId>,
    /// The origin of the rule or grant.
    pub source: Option<RuleSource>,
    /// The hook, if the opinion comes from one.
    pub hook: Option<HookId>,
    /// The grant, if the opinion comes from one.
    pub grant: Option<GrantKey>,
    /// What could not be evaluated, if that is the reason; `rule` is then the policy, if there is one.
    pub error: Option<PolicyError>,
    /// A message for people. That of a hook is its own text.
    pub message: Cow<'static, str>,
    /// Set if it settled the decision. Exactly one reason of a verdict is decisive.
    pub decisive: bool,
}

impl Reason {
    pub(crate) fn new(kind: ReasonType, decision: Decision, message: &'static str) -> Self {
        Self {
            kind,
            decision,
            rule: None,
            source: None,
            hook: None,
            grant: None,
            error: None,
            message: Cow::Borrowed(message),
            decisive: false,
        }
    }

    /// A policy that could not be evaluated might have denied the call, so a person must be asked.
    pub(crate) fn not_evaluated(error: &PolicyError) -> Self {
        let rule = match error {
            PolicyError::Policy(rule) => Some(rule.clone()),
            PolicyError::UnknownTool | PolicyError::Input(_) => None,
        };
        let message = format!("{error}, and what cannot be judged is not allowed unasked");
        Self {
            rule,
            error: Some(error.clone()),
            message: Cow::Owned(message),
            ..Self::new(ReasonType::Policy, Decision::Ask, "")
        }
    }

    /// Describes the reason, without texts of hooks, which may quote arguments.
    #[must_use]
    pub fn line(&self) -> String {
        let verb = match self.decision {
            Decision::Allow => "allows",
            Decision::Ask => "asks",
            Decision::Deny => "denies",
        };
        let said = match (&self.rule, &self.hook, &self.grant) {
            _ if self.error.is_some() => [verb, ": ", &self.message, ""],
            (Some(rule), _, _) if self.kind == ReasonType::Policy => {
                ["policy `", rule.as_str(), "` ", verb]
            }
            (Some(rule), _, _) => ["rule `", rule.as_str(), "` ", verb],
            (_, Some(hook), _) => ["hook `", hook.as_str(), "` ", verb],
            (_, _, Some(grant)) => ["grant `", grant.as_str(), "` ", verb],
            (None, None, None) => [verb, ": ", &self.message, ""],
        };
        let [before, name, after, verb] = said;
        match self.source {
            Some(source) => [before, name, after, verb, " (", source.as_str(), ")"].concat(),
            None => [before, name, after, verb].concat(),
        }
    }

    /// Sorts the strictest first, then by the authority of the source.
    pub(crate) fn rank(&self) -> impl Ord + '_ {
        let is_mode = self.kind == ReasonType::Mode;
        let names = (self.rule.as_ref(), self.hook.as_ref(), self.grant.as_ref());
        let whose = (source_rank(self.source), self.kind, names, self.error.as_ref());
        // What could not be evaluated comes first among questions.
        (Reverse(self.decision), Reverse(is_mode), Reverse(self.error.is_some()), whose)
    }
}

/// The order in which rules that agree are named: rules of an organization before rules of a session.
fn source_rank(source: Option<RuleSource>) -> u8 {
    match source {
        Some(RuleSource::PolicySettings) => 0,
        Some(RuleSource::FlagSettings) => 1,
        Some(RuleSource::CliArg) => 2,
        Some(RuleSource::LocalSettings) => 3,
        Some(RuleSource::ProjectSettings) => 4,
        Some(RuleSource::UserSettings) => 5,
        Some(RuleSource::Command) => 6,
        Some(RuleSource::Session) => 7,
        None => 8,
    }
}

/// A line without texts of hooks, which may quote arguments.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line())
    }
}

/// Something that could not be evaluated. It is never a reason to allow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum PolicyError {
    /// A policy could not be evaluated.
    #[error("policy `{0}` could not be evaluated")]
    Policy(RuleId),
    /// The tool was not known when the policies were loaded.
    #[error("the tool is unknown to the policies: load them again")]
    UnknownTool,
    /// A part of the input cannot be expressed in the language of the policies.
    #[error("the input at `{0}` cannot be shown to the policies")]
    Input(String),
}
