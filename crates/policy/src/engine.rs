//! Policy engines that are evaluated beside the rules.

use std::fmt;

use assent_ids::RuleId;
use assent_json::Digest;
use assent_protocol::agent_tool::RuleSource;

use crate::{Decision, PolicyError, Question};

/// An engine with policies of its own, such as Cedar in `assent-cedar`. It takes part in every decision
/// of the [`Policy`](crate::Policy) that it is added to.
pub trait PolicyEngine: fmt::Debug + Send + Sync {
    /// Evaluates the policies for a call. A policy that cannot be evaluated is an error; a call with an
    /// error is never allowed without asking.
    fn evaluate(&self, question: &Question<'_>) -> Evaluation;

    /// A digest of the policies. It is a part of [`Policy::digest`](crate::Policy::digest).
    fn digest(&self) -> Digest;
}

/// The answer of a policy engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluation {
    /// The policies that apply to the call.
    pub matched: Vec<PolicyMatch>,
    /// What could not be evaluated.
    pub errors: Vec<PolicyError>,
}

/// A policy that applies to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyMatch {
    /// The id of the policy.
    pub policy: RuleId,
    /// What the policy decides.
    pub decision: Decision,
    /// The origin of the policy.
    pub source: Option<RuleSource>,
    /// Set if no grant and no hook can answer in place of a person. Only for policies that ask.
    pub bypass_immune: bool,
}
