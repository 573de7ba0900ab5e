//! Calls and policies, written shortly.

use std::sync::Arc;

use assent_ids::{CallableName, UnixMillis};
use assent_json::{Digest, Json};
use assent_policy::{
    Decision, Evaluation, Grant, GrantSpec, Grants, Mode, Opinion, Policy, PolicyEngine,
    PolicyProblem, Question, RuleSpec, Safety, Verdict,
};
use serde_json::Value;

/// A call that owns what a question borrows.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) tool_id: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) aliases: Vec<CallableName>,
    pub(crate) operation: Option<String>,
    pub(crate) definition: Digest,
    pub(crate) safety: Safety,
    pub(crate) requires_approval: bool,
    pub(crate) actor: Option<String>,
    pub(crate) session: Option<String>,
    pub(crate) input: Json,
    pub(crate) mode: Mode,
    pub(crate) opinions: Vec<Opinion>,
    pub(crate) now: UnixMillis,
}

impl Call {
    /// A call of the tool `t` that changes something, in an interactive session.
    pub(crate) fn new(input: Value) -> Self {
        Self {
            tool_id: "ns/t".to_owned(),
            namespace: "ns".to_owned(),
            name: "t".to_owned(),
            aliases: Vec::new(),
            operation: None,
            definition: Digest::of(b"definition"),
            safety: Safety { read_only: false, destructive: true, open_world: true },
            requires_approval: false,
            actor: None,
            session: None,
            input: Json::from_value(&input).unwrap(),
            mode: Mode::Interactive,
            opinions: Vec::new(),
            now: UnixMillis::new(1000),
        }
    }

    pub(crate) fn read_only(mut self) -> Self {
        self.safety = Safety { read_only: true, destructive: false, open_world: false };
        self
    }

    pub(crate) fn question(&self) -> Question<'_> {
        Question {
            tool_id: &self.tool_id,
            namespace: &self.namespace,
            name: &self.name,
            qualified: None,
            aliases: &self.aliases,
            operation: self.operation.as_deref(),
            definition: self.definition,
            safety: self.safety,
            requires_approval: self.requires_approval,
            actor: self.actor.as_deref(),
            session: self.session.as_deref(),
            input: self.input.root(),
            mode: self.mode,
            opinions: &self.opinions,
            now: self.now,
        }
    }

    pub(crate) fn verdict(&self, policy: &Policy) -> Verdict {
        policy.decide(&self.question(), &Grants::none())
    }

    pub(crate) fn decision(&self, policy: &Policy) -> Decision {
        self.verdict(policy).decision
    }
}

pub(crate) fn rules(rules: Value) -> Vec<RuleSpec> {
    serde_json::from_value(rules).unwrap()
}

pub(crate) fn load(specs: Value) -> Result<Policy, Vec<PolicyProblem>> {
    Policy::load(rules(specs))
}

pub(crate) fn policy(specs: Value) -> Policy {
    load(specs).unwrap()
}

/// Whether a rule with this behavior and these conditions matches a call with this input.
pub(crate) fn matches(behavior: &str, arguments: Value, input: Value) -> bool {
    let policy =
        policy(serde_json::json!([{"id": "r", "behavior": behavior, "arguments": arguments}]));
    let verdict = Call::new(input).verdict(&policy);
    verdict.reasons.iter().any(|reason| reason.rule.is_some())
}

/// As `matches`, for one test of the value at `/v`.
pub(crate) fn value_matches(behavior: &str, test: &str, pattern: Value, value: Value) -> bool {
    let arguments = serde_json::json!([{"path": "/v", test: pattern}]);
    matches(behavior, arguments, serde_json::json!({"v": value}))
}

pub(crate) fn grant(spec: Value) -> Grant {
    let spec: GrantSpec = serde_json::from_value(spec).unwrap();
    Grant::load(spec).unwrap()
}

/// A policy engine that always gives the same answer.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) evaluation: Evaluation,
    pub(crate) digest: Digest,
}

impl Default for Engine {
    fn default() -> Self {
        Self { evaluation: Evaluation::default(), digest: Digest::of(b"") }
    }
}

impl Engine {
    pub(crate) fn named(text: &str) -> Arc<Self> {
        Arc::new(Self { digest: Digest::of(text.as_bytes()), ..Self::default() })
    }
}

impl PolicyEngine for Engine {
    fn evaluate(&self, _: &Question<'_>) -> Evaluation {
        self.evaluation.clone()
    }

    fn digest(&self) -> Digest {
        self.digest
    }
}
