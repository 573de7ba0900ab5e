//! Compiled rules.

use assent_ids::RuleId;
use assent_json::{Digest, Json, Node, Pointer};
use assent_protocol::agent_tool::{ReasonType, RuleSource};

use crate::{
    Decision, Example, Glob, ProblemKind, Question, RuleSpec,
    condition::{Condition, compile_all, judge_all},
    findings::Match,
    problem::{Faults, keep},
    tool_pattern::ToolNames,
    truth::{Side, Truth},
};

/// The most examples of one rule.
const MAX_EXAMPLES: usize = 256;

/// A compiled rule.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) id: RuleId,
    decision: Decision,
    source: Option<RuleSource>,
    pub(crate) tool: Option<Glob>,
    definition: Option<Digest>,
    operation: Option<Glob>,
    actor: Option<Glob>,
    conditions: Box<[Condition]>,
    bypass_immune: bool,
}

/// The parts of a call that a rule matches, except the tool.
#[derive(Clone, Copy)]
struct Call<'c> {
    definition: Option<Digest>,
    operation: Option<&'c str>,
    actor: Option<&'c str>,
    input: Node<'c>,
}

impl Rule {
    /// Compiles a rule and checks it against its examples. Every problem is added to `faults`.
    pub(crate) fn compile(spec: &RuleSpec, faults: &mut Faults) -> Option<Self> {
        let root = Pointer::root();
        let decision = Decision::of(spec.behavior).ok_or(ProblemKind::Passthrough);
        let decision = keep(decision, || root.key("behavior"), faults);
        let side = decision.map_or(Side::Restrict, Side::of);
        if spec.bypass_immune && decision.is_some_and(|decision| decision != Decision::Ask) {
            faults.push((root.key("bypass_immune"), ProblemKind::ImmuneWithoutAsk));
        }
        let id = keep(spec.id.parse(), || root.key("id"), faults);
        let mut glob = |key: &str, text: &Option<String>| {
            let parsed = text.as_deref().map(Glob::parse).transpose();
            keep(parsed, || root.key(key), faults).flatten()
        };
        let tool = glob("tool", &spec.tool);
        let operation = glob("operation", &spec.operation);
        let actor = glob("actor", &spec.actor);
        let definition = spec.definition.as_deref().map(str::parse).transpose();
        let definition = definition.map_err(|_| ProblemKind::Digest);
        let definition = keep(definition, || root.key("definition"), faults).flatten();
        let conditions = compile_all(&spec.arguments, side, &root.key("arguments"), faults);
        let rule = Self {
            id: id?,
            decision: decision?,
            source: spec.source,
            tool,
            definition,
            operation,
            actor,
            conditions,
            bypass_immune: spec.bypass_immune,
        };
        // Without a faulty part, the rule would match other calls.
        if faults.is_empty() {
            rule.check_examples("match", &spec.matching, true, faults);
            rule.check_examples("not_match", &spec.not_matching, false, faults);
        }
        Some(rule)
    }

    /// Returns `true` if the rule matches the call. The tool was matched before.
    pub(crate) fn matches(&self, question: &Question<'_>) -> bool {
        self.matches_call(Call {
            definition: Some(question.definition),
            operation: question.operation,
            actor: question.actor,
            input: question.input,
        })
    }

    /// Returns `true` if the rule denies or asks.
    pub(crate) fn restricts(&self) -> bool {
        Side::of(self.decision) == Side::Restrict
    }

    /// Returns the match of this rule.
    pub(crate) fn as_match(&self) -> Match<'_> {
        Match {
            kind: ReasonType::Rule,
            decision: self.decision,
            rule: &self.id,
            source: self.source,
            bypass_immune: self.bypass_immune,
        }
    }

    fn matches_call(&self, call: Call<'_>) -> bool {
        let is_void = self.definition.is_some() && self.definition != call.definition;
        if is_void || !admits(self.operation.as_ref(), call.operation, Truth::Fails) {
            return false;
        }
        // A call without an actor may come from any actor.
        let side = Side::of(self.decision);
        let anonymous = if side == Side::Restrict { Truth::Holds } else { Truth::Fails };
        admits(self.actor.as_ref(), call.actor, anonymous)
            && side.takes(judge_all(&self.conditions, call.input))
    }

    fn check_examples(&self, key: &str, examples: &[Example], expected: bool, faults: &mut Faults) {
        let at = Pointer::root().key(key);
        if examples.len() > MAX_EXAMPLES {
            faults.push((at, ProblemKind::TooMany(MAX_EXAMPLES)));
            return;
        }
        for (index, example) in examples.iter().enumerate() {
            match self.matches_example(example) {
                Ok(matches) if matches == expected => {}
                Ok(true) => faults.push((at.index(index), ProblemKind::NotMatchExample)),
                Ok(false) => faults.push((at.index(index), ProblemKind::MatchExample)),
                Err(kind) => faults.push((at.index(index).key("input"), kind)),
            }
        }
    }

    fn matches_example(&self, example: &Example) -> Result<bool, ProblemKind> {
        let input = Json::from_value(&example.input);
        let input = input.map_err(|error| ProblemKind::Value(error.to_string()))?;
        let is_tool = match (&self.tool, &example.tool) {
            (Some(pattern), Some(name)) => {
                let (namespace, bare) = name.rsplit_once('/').unwrap_or(("", name));
                ToolNames::new(name, namespace, bare).any(pattern)
            }
            (None, _) | (_, None) => true,
        };
        Ok(is_tool && self.matches_call(self.example_call(example, input.root())))
    }

    /// Creates the call of an example. Omitted parts match the rule.
    fn example_call<'c>(&'c self, example: &'c Example, input: Node<'c>) -> Call<'c> {
        Call {
            definition: self.definition,
            operation: example.operation.as_deref().or(self.operation.as_ref().map(Glob::as_str)),
            actor: example.actor.as_deref().or(self.actor.as_ref().map(Glob::as_str)),
            input,
        }
    }
}

fn admits(pattern: Option<&Glob>, name: Option<&str>, nameless: Truth) -> bool {
    match (pattern, name) {
        (None, _) => true,
        (Some(pattern), Some(name)) => pattern.matches(name),
        (Some(_), None) => nameless == Truth::Holds,
    }
}
