//! The outcomes of the Agent Policy standard, and the decisions they map to.

use assent_protocol::agent_tool::{Behavior, RiskLevel};

use crate::Decision;

/// The answer of a policy engine that follows Agent Policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PolicyOutcome {
    /// The call may run.
    Allow,
    /// The call must not run.
    Deny,
    /// A person must be asked.
    Ask,
    /// The decision is postponed.
    Defer,
    /// A person with more authority must be asked.
    Escalate,
    /// The call may run although a rule forbids it, by a recorded waiver.
    Waive,
    /// The policy does not apply to the call.
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

    /// Returns the outcome as it is written.
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

    /// Parses an outcome. An unknown word is [`Self::Indeterminate`].
    #[must_use]
    pub fn read(text: &str) -> Self {
        let known = Self::ALL.into_iter().find(|outcome| outcome.as_str() == text);
        known.unwrap_or(Self::Indeterminate)
    }

    /// Returns the decision; `None` for a policy that does not apply to the call.
    #[must_use]
    pub fn decision(self) -> Option<Decision> {
        match self {
            Self::Allow | Self::Waive => Some(Decision::Allow),
            Self::Ask | Self::Defer | Self::Escalate => Some(Decision::Ask),
            Self::Deny | Self::Indeterminate => Some(Decision::Deny),
            Self::NotApplicable => None,
        }
    }

    /// Returns the word for a permission decision.
    #[must_use]
    pub fn behavior(self) -> Behavior {
        self.decision().map_or(Behavior::Passthrough, Decision::behavior)
    }

    /// Returns `true` if the waiver must be recorded among the policies of the decision.
    #[must_use]
    pub fn is_waiver(self) -> bool {
        self == Self::Waive
    }
}

/// Returns the risk level of a permission profile for a level of Agent Policy, which also has `none` and
/// `unknown`. Other words count as unknown.
#[must_use]
pub fn risk_level(text: &str) -> RiskLevel {
    match text {
        "none" | "low" => RiskLevel::Low,
        "medium" => RiskLevel::Medium,
        "critical" => RiskLevel::Critical,
        _ => RiskLevel::High,
    }
}
