//! Rules and policies, loaded together and never changed.

use std::{collections::BTreeMap, sync::Arc};

use assent_ids::RuleId;
use assent_json::{Digest, Pointer};

use crate::{
    Location, PolicyEngine, PolicyProblem, ProblemKind, Question, RuleSpec, findings::Findings,
    pattern_index::PatternIndex, rule::Rule, tool_pattern::ToolNames,
};

/// The most rules of one policy.
pub(crate) const MAX_RULES: usize = 100_000;

/// The rules that decide which calls may run, and optionally a further [`PolicyEngine`]. Share it behind
/// an `Arc`. The cost of a decision depends on the rules that apply to the tool, not on the number of
/// rules.
#[derive(Debug, Default)]
pub struct Policy {
    rules: Vec<Rule>,
    /// The rules by the tool name that they ask for.
    index: PatternIndex,
    /// The digests of the rules, sorted.
    rule_digests: Vec<Digest>,
    engine: Option<Arc<dyn PolicyEngine>>,
}

impl Policy {
    /// Compiles rules.
    ///
    /// # Errors
    /// Every problem of every rule.
    pub fn load(rules: impl AsRef<[RuleSpec]>) -> Result<Self, Vec<PolicyProblem>> {
        let rules = rules.as_ref();
        let mut problems = Vec::new();
        let compiled = compile(rules, &mut problems);
        if !problems.is_empty() {
            return Err(problems);
        }
        let index = PatternIndex::new(compiled.iter().map(|rule| rule.tool.as_ref()).zip(0..));
        Ok(Self { rules: compiled, index, rule_digests: rule_digests(rules), engine: None })
    }

    /// Adds an engine, which takes part in every decision.
    #[must_use]
    pub fn with_engine(self, engine: Arc<dyn PolicyEngine>) -> Self {
        Self { engine: Some(engine), ..self }
    }

    /// A digest of the rules and of the policies of the engine. Decisions record it. The order of rules
    /// does not matter.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let engine = match &self.engine {
            Some(engine) => engine.digest(),
            None => Digest::of(b""),
        };
        let mut bytes = b"assent policy 1\0".to_vec();
        for digest in self.rule_digests.iter().chain([&engine]) {
            bytes.extend_from_slice(digest.as_bytes());
        }
        Digest::of(&bytes)
    }

    /// Collects the opinions of the rules and of the engine.
    pub(crate) fn consult(&self, question: &Question<'_>, findings: &mut Findings) {
        self.consult_rules(question, findings);
        if let Some(engine) = &self.engine {
            let evaluation = engine.evaluate(question);
            evaluation.matched.iter().for_each(|matched| findings.matched(matched.into()));
            findings.errors.extend(evaluation.errors);
        }
    }

    fn consult_rules(&self, question: &Question<'_>, findings: &mut Findings) {
        if self.rules.is_empty() {
            return;
        }
        let names = ToolNames::of(question);
        for (position, name) in names.each().enumerate() {
            for index in self.index.candidates(name) {
                let Some(rule) = self.rules.get(index as usize) else { continue };
                let admits = |name: &str| rule.tool.as_ref().is_none_or(|tool| tool.matches(name));
                // A rule that matches several names of the tool counts once.
                let is_heard = names.each().take(position).any(admits);
                if !is_heard && admits(name) && rule.matches(question) {
                    findings.matched(rule.as_match());
                }
            }
        }
        self.consult_about_aliases(question, &names, findings);
    }

    /// Rules that deny or ask also apply to the aliases of a tool, so that renaming a tool does not bypass them.
    /// Rules that allow do not: a producer can give a tool any alias, also the name of a trusted tool.
    fn consult_about_aliases(
        &self,
        question: &Question<'_>,
        names: &ToolNames<'_>,
        findings: &mut Findings,
    ) {
        for alias in question.aliases {
            let qualified = [question.namespace, "/", alias.as_str()].concat();
            for name in [alias.as_str(), &qualified] {
                for index in self.index.candidates(name) {
                    let Some(rule) = self.rules.get(index as usize) else { continue };
                    let Some(pattern) = &rule.tool else { continue };
                    if rule.restricts()
                        && pattern.matches(name)
                        && !names.any(pattern)
                        && rule.matches(question)
                    {
                        findings.matched(rule.as_match());
                    }
                }
            }
        }
    }
}

/// Compiles the rules and collects every problem. A rule that is written twice counts once.
fn compile(specs: &[RuleSpec], problems: &mut Vec<PolicyProblem>) -> Vec<Rule> {
    if specs.len() > MAX_RULES {
        let location = Location::Rule { index: MAX_RULES, pointer: Pointer::root() };
        problems.push(PolicyProblem {
            id: None,
            location,
            kind: ProblemKind::TooManyRules(MAX_RULES),
        });
        return Vec::new();
    }
    let mut ids: BTreeMap<RuleId, &RuleSpec> = BTreeMap::new();
    let mut rules = Vec::with_capacity(specs.len());
    for (index, spec) in specs.iter().enumerate() {
        let mut faults = Vec::new();
        let rule = Rule::compile(spec, &mut faults);
        if let Some(rule) = rule {
            match ids.get(&rule.id) {
                Some(same) if *same == spec => continue,
                Some(_) => faults.push((Pointer::root().key("id"), ProblemKind::DuplicateId)),
                None => {
                    ids.insert(rule.id.clone(), spec);
                    rules.push(rule);
                }
            }
        }
        problems.extend(faults.into_iter().map(|(pointer, kind)| PolicyProblem {
            id: Some(spec.id.clone()),
            location: Location::Rule { index, pointer },
            kind,
        }));
    }
    rules
}

/// The digests of the canonical forms of the rules, sorted and without duplicates.
fn rule_digests(rules: &[RuleSpec]) -> Vec<Digest> {
    let digest = |rule: &RuleSpec| {
        let text = serde_json::to_vec(rule).unwrap_or_default();
        // INVARIANT: values were read strictly when the rule was compiled, so this succeeds.
        assent_json::digest(&text).unwrap_or_else(|_| Digest::of(&text))
    };
    let mut digests: Vec<Digest> = rules.iter().map(digest).collect();
    digests.sort_unstable();
    digests.dedup();
    digests
}
