//! Calls that policies are evaluated for.

use assent_ids::UnixMillis;
use assent_json::{Digest, Json};
use assent_policy::{
    Decision, Grant, GrantSpec, Grants, Mode, Policy, Question, RuleSpec, Safety, Verdict,
};
use serde_json::Value;

/// A call that owns what a question borrows.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) tool_id: String,
    pub(crate) actor: Option<String>,
    pub(crate) session: Option<String>,
    pub(crate) input: Json,
    pub(crate) mode: Mode,
    pub(crate) safety: Safety,
}

impl Call {
    /// A call of the tool `ns/t` that changes something, in an interactive session.
    pub(crate) fn new(input: Value) -> Self {
        Self {
            tool_id: "ns/t".to_owned(),
            actor: None,
            session: None,
            input: Json::from_value(&input).unwrap(),
            mode: Mode::Interactive,
            safety: Safety { read_only: false, destructive: true, open_world: true },
        }
    }

    pub(crate) fn read_only(mut self) -> Self {
        self.safety = Safety { read_only: true, destructive: false, open_world: false };
        self
    }

    pub(crate) fn question(&self) -> Question<'_> {
        Question {
            tool_id: &self.tool_id,
            namespace: "ns",
            name: "t",
            qualified: None,
            aliases: &[],
            operation: None,
            definition: Digest::of(b"definition"),
            safety: self.safety,
            requires_approval: false,
            actor: self.actor.as_deref(),
            session: self.session.as_deref(),
            input: self.input.root(),
            mode: self.mode,
            opinions: &[],
            now: UnixMillis::new(1000),
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

pub(crate) fn grant(spec: Value) -> Grant {
    let spec: GrantSpec = serde_json::from_value(spec).unwrap();
    Grant::load(spec).unwrap()
}
