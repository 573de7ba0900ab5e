//! What was decided, and why.

use std::{borrow::Cow, cmp::Reverse, fmt};

use assent_ids::{HookId, RuleId};
use assent_protocol::agent_tool::{ReasonType, RuleSource};

use crate::{Decision, GrantKey};

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What is to happen.
    pub decision: Decision,
    /// Everything that had an opinion, the strictest first. The order does not depend on the order
    /// of rules.
    pub reasons: Vec<Reason>,
    /// The grant that turned an `ask` into an `allow`; one of its uses is to be counted.
    pub grant: Option<GrantKey>,
    /// What could not be evaluated; each is among the reasons as well. There is then no `allow` but by a
    /// grant.
    pub errors: Vec<PolicyError>,
}

impl Verdict {
    /// The reason that settled it.
    #[must_use]
    pub fn decisive(&self) -> Option<&Reason> {
        self.reasons.iter().find(|reason| reason.decisive)
    }

    /// One line per reason, the decisive one first. No line holds a value of an argument.
    pub fn explain(&self) -> impl Iterator<Item = String> + '_ {
        let decisive = self.reasons.iter().filter(|reason| reason.decisive);
        let others = self.reasons.iter().filter(|reason| !reason.decisive);
        decisive.chain(others).map(ToString::to_string)
    }
}

/// One opinion about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What kind of thing had the opinion.
    pub kind: ReasonType,
    /// The opinion.
    pub decision: Decision,
    /// The rule or policy, if it was one.
    pub rule: Option<RuleId>,
    /// Where the rule or grant comes from.
    pub source: Option<RuleSource>,
    /// The hook, if it was one.
    pub hook: Option<HookId>,
    /// The grant, if it was one.
    pub grant: Option<GrantKey>,
    /// What could not be evaluated, if that is the reason; `rule` is then the policy, if it was one.
    pub error: Option<PolicyError>,
    /// Words for people. Those of a hook are its own.
    pub message: Cow<'static, str>,
    /// Whether it settled the question. Exactly one reason of a verdict did.
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

    /// Something that could not be evaluated might have denied the call, so it is never allowed unasked.
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

    /// The reason in words, without those of hooks, which may quote arguments.
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

    /// Sorts the strictest first, then by who has more to say.
    pub(crate) fn rank(&self) -> impl Ord + '_ {
        let is_mode = self.kind == ReasonType::Mode;
        let names = (self.rule.as_ref(), self.hook.as_ref(), self.grant.as_ref());
        let whose = (source_rank(self.source), self.kind, names, self.error.as_ref());
        // Whoever is asked hears first what nobody could judge.
        (Reverse(self.decision), Reverse(is_mode), Reverse(self.error.is_some()), whose)
    }
}

/// Which of several rules that agree is named: what binds an organisation before what one session
/// has said.
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

/// A line without the words of hooks, which may quote arguments.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line())
    }
}

/// What could not be evaluated. Never a reason to allow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum PolicyError {
    /// A policy failed while it was evaluated.
    #[error("policy `{0}` could not be evaluated")]
    Policy(RuleId),
    /// The tool was not there when the policies were loaded.
    #[error("the tool is unknown to the policies: load them again")]
    UnknownTool,
    /// A part of the input has no counterpart in the language of the policies.
    #[error("the input at `{0}` cannot be shown to the policies")]
    Input(String),
}
