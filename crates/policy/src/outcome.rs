//! The outcomes of Agent Policy, the standard beside Agent Tool, and what they mean here.

use assent_protocol::agent_tool::{Behavior, RiskLevel};

use crate::Decision;

/// What a policy engine that follows Agent Policy answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PolicyOutcome {
    /// The call may run.
    Allow,
    /// The call must not run.
    Deny,
    /// A person is asked.
    Ask,
    /// The decision is put off.
    Defer,
    /// Somebody with more authority is asked.
    Escalate,
    /// The call may run although a rule forbids it, by a waiver that is kept on record.
    Waive,
    /// The policy does not speak of the call.
    NotApplicable,
    /// The policy could not be evaluated.
    Indeterminate,
}

impl PolicyOutcome {
    /// Every outcome.
    pub const ALL: [Self; 8] = [
        Self::Allow,
        Self::Deny,
        Self::Ask,
        Self::Defer,
        Self::Escalate,
        Self::Waive,
        Self::NotApplicable,
        Self::Indeterminate,
    ];

    /// The outcome as it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Defer => "defer",
            Self::Escalate => "escalate",
            Self::Waive => "waive",
            Self::NotApplicable => "not_applicable",
            Self::Indeterminate => "indeterminate",
        }
    }

    /// The outcome with this spelling. A word that nobody knows has not been evaluated.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let known = Self::ALL.into_iter().find(|outcome| outcome.as_str() == text);
        known.unwrap_or(Self::Indeterminate)
    }

    /// The opinion that it is; none for a policy that does not speak of the call.
    #[must_use]
    pub fn decision(self) -> Option<Decision> {
        match self {
            Self::Allow | Self::Waive => Some(Decision::Allow),
            Self::Ask | Self::Defer | Self::Escalate => Some(Decision::Ask),
            Self::Deny | Self::Indeterminate => Some(Decision::Deny),
            Self::NotApplicable => None,
        }
    }

    /// The word for a permission decision.
    #[must_use]
    pub fn behavior(self) -> Behavior {
        self.decision().map_or(Behavior::Passthrough, Decision::behavior)
    }

    /// Whether the waiver is to be named among the policies of the decision.
    #[must_use]
    pub fn is_waiver(self) -> bool {
        self == Self::Waive
    }
}

/// The risk level of a permission profile for one of Agent Policy, which also has `none` and
/// `unknown`. What nobody knows counts as unknown.
#[must_use]
pub fn risk_level(text: &str) -> RiskLevel {
    match text {
        "none" | "low" => RiskLevel::Low,
        "medium" => RiskLevel::Medium,
        "critical" => RiskLevel::Critical,
        _ => RiskLevel::High,
    }
}
