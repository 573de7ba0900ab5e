//! Rules and policies, loaded together and never changed.

use std::collections::BTreeMap;

use assent_ids::RuleId;
use assent_json::{Digest, Pointer};

use crate::{
    Place, PolicyProblem, ProblemKind, Question, RuleSpec, ToolShape, cedar::Cedar,
    findings::Findings, pattern_index::PatternIndex, rule::Rule, tool_pattern::ToolNames,
};

/// The most rules of one policy.
const MAX_RULES: usize = 100_000;

/// Everything that was said in advance about which calls may run. Share it behind an `Arc`; what a
/// decision costs depends on the rules that speak of the tool, not on how many there are.
#[derive(Debug, Default)]
pub struct Policy {
    rules: Vec<Rule>,
    /// By the tool's name that a rule asks for.
    index: PatternIndex,
    cedar: Option<Cedar>,
    digest: Option<Digest>,
}

impl Policy {
    /// Compiles rules and Cedar policies. `tools` are those that policies may speak of; they matter
    /// only if there are Cedar policies.
    ///
    /// # Errors
    /// Every problem of every rule and policy.
    pub fn load<'t>(
        rules: impl AsRef<[RuleSpec]>,
        cedar: Option<&str>,
        tools: impl Iterator<Item = ToolShape<'t>>,
    ) -> Result<Self, Vec<PolicyProblem>> {
        let rules = rules.as_ref();
        let mut problems = Vec::new();
        let mut ids = BTreeMap::new();
        let compiled = compile(rules, &mut ids, &mut problems);
        let cedar = cedar.filter(|text| !text.trim().is_empty());
        let loaded = cedar.and_then(|text| Cedar::load(text, tools, &ids, &mut problems));
        if !problems.is_empty() {
            return Err(problems);
        }
        let index = PatternIndex::new(compiled.iter().map(|rule| rule.tool.as_ref()).zip(0..));
        let digest = Some(digest_of(rules, cedar));
        Ok(Self { rules: compiled, index, cedar: loaded, digest })
    }

    /// A digest of what was loaded, by which a decision can say under which policy it was made. The
    /// order of rules does not matter.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest.unwrap_or_else(|| digest_of(&[], None))
    }

    /// Collects what rules and policies have to say.
    pub(crate) fn consult(&self, question: &Question<'_>, findings: &mut Findings) {
        self.consult_rules(question, findings);
        if let Some(cedar) = &self.cedar {
            cedar.consult(question, findings);
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
                // A rule that matches several names of the tool is heard once.
                let is_heard = names.each().take(position).any(admits);
                if !is_heard && admits(name) && rule.matches(question) {
                    findings.matched(rule.as_match());
                }
            }
        }
        self.consult_about_aliases(question, &names, findings);
    }

    /// A tool must not get around a rule by taking another name, so what denies or asks speaks of its older names
    /// as well. What allows does not: a producer can give a tool any alias, also that of one which people trust.
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

/// Compiles the rules and notes every problem. A rule that is written twice counts once.
fn compile<'s>(
    specs: &'s [RuleSpec],
    ids: &mut BTreeMap<RuleId, &'s RuleSpec>,
    problems: &mut Vec<PolicyProblem>,
) -> Vec<Rule> {
    if specs.len() > MAX_RULES {
        let place = Place::Rule { index: MAX_RULES, pointer: Pointer::root() };
        problems.push(PolicyProblem {
            id: None,
            place,
            kind: ProblemKind::TooManyRules(MAX_RULES),
        });
        return Vec::new();
    }
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
            place: Place::Rule { index, pointer },
            kind,
        }));
    }
    rules
}

/// Of the canonical forms of the rules in their own order, then of the Cedar text.
fn digest_of(rules: &[RuleSpec], cedar: Option<&str>) -> Digest {
    let one = |rule: &RuleSpec| {
        let text = serde_json::to_vec(rule).unwrap_or_default();
        // INVARIANT: values were read strictly when the rule was compiled, so this succeeds.
        assent_json::digest(&text).unwrap_or_else(|_| Digest::of(&text))
    };
    let mut digests: Vec<Digest> = rules.iter().map(one).collect();
    digests.sort_unstable();
    digests.dedup();
    let mut bytes = b"assent policy 1\0".to_vec();
    digests.iter().for_each(|digest| bytes.extend_from_slice(digest.as_bytes()));
    bytes.extend_from_slice(Digest::of(cedar.unwrap_or_default().as_bytes()).as_bytes());
    Digest::of(&bytes)
}
