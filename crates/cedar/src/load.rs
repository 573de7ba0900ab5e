//! Parses policies, checks them against the schemas of the tools, and sorts them by effect.

use std::collections::{BTreeMap, BTreeSet};

use assent_ids::RuleId;
use assent_json::{Digest, Position};
use assent_policy::{Decision, PolicyMatch, RuleSpec};
use assent_protocol::agent_tool::RuleSource;
use cedar_policy::{
    ActionConstraint, Authorizer, Effect, EntityUid, Policy, PolicySet, ValidationMode,
    ValidationWarning, Validator,
};
use miette::Diagnostic;

use crate::{
    Cedar, CedarProblem, CedarProblemKind, ToolShape,
    engine::Sets,
    schema::Tools,
    source_text::{message, out_of_bounds, policy_offsets, position},
};

impl Cedar {
    /// Loads policies for `tools`. No policy may have the id of one of the `rules` beside it.
    ///
    /// # Errors
    ///
    /// Every problem of every policy.
    pub fn load<'t>(
        text: &str,
        tools: impl IntoIterator<Item = ToolShape<'t>>,
        rules: &[RuleSpec],
    ) -> Result<Self, Vec<CedarProblem>> {
        let mut loader = Loader {
            text,
            taken: rules.iter().map(|rule| rule.id.as_str()).collect(),
            problems: Vec::new(),
            ids: BTreeSet::new(),
            matches: BTreeMap::new(),
        };
        let loaded = loader.load(tools.into_iter());
        match loaded {
            Some(cedar) if loader.problems.is_empty() => Ok(cedar),
            Some(_) | None => Err(loader.problems),
        }
    }
}

struct Loader<'l> {
    text: &'l str,
    /// The ids of the rules.
    taken: BTreeSet<&'l str>,
    problems: Vec<CedarProblem>,
    ids: BTreeSet<RuleId>,
    matches: BTreeMap<String, PolicyMatch>,
}

impl Loader<'_> {
    fn load<'t>(&mut self, tools: impl Iterator<Item = ToolShape<'t>>) -> Option<Cedar> {
        let set = self.read()?;
        let tools = match Tools::new(tools) {
            Ok(tools) => tools,
            Err(why) => {
                self.note(None, None, CedarProblemKind::Schema(why));
                return None;
            }
        };
        let (general, by_tool) = self.sort(&set);
        let validator = Validator::new(tools.schema);
        self.check_meaning(&validator, &set);
        Some(Cedar {
            authorizer: Authorizer::new(),
            general,
            by_tool,
            matches: std::mem::take(&mut self.matches),
            tools: tools.records,
            entities: tools.entities,
            names: tools.names,
            digest: Digest::of(self.text.as_bytes()),
        })
    }

    fn note(&mut self, id: Option<&str>, position: Option<Position>, kind: CedarProblemKind) {
        let position = position.unwrap_or(Position { line: 1, column: 1 });
        self.problems.push(CedarProblem { id: id.map(str::to_owned), position, kind });
    }

    fn note_at(&mut self, id: Option<&str>, offset: Option<usize>, kind: CedarProblemKind) {
        let position = offset.map(|offset| Position::of(self.text.as_bytes(), offset));
        self.note(id, position, kind);
    }

    fn read(&mut self) -> Option<PolicySet> {
        if let Some((position, kind)) = out_of_bounds(self.text) {
            self.note(None, Some(position), kind);
            return None;
        }
        match self.text.parse::<PolicySet>() {
            Ok(set) => {
                for template in set.templates() {
                    self.note(template.annotation("id"), None, CedarProblemKind::Template);
                }
                Some(set)
            }
            Err(errors) => {
                for error in errors.iter() {
                    let at = position(self.text, error);
                    self.note(None, at, CedarProblemKind::Syntax(message(error)));
                }
                None
            }
        }
    }

    /// Sorts the policies by the tools that they name, and for each by effect and decision.
    fn sort(&mut self, set: &PolicySet) -> (Sets, BTreeMap<Box<str>, Sets>) {
        let mut sorted: BTreeMap<Option<Box<str>>, BTreeMap<_, PolicySet>> = BTreeMap::new();
        let offsets = policy_offsets(self.text);
        for policy in set.policies() {
            // Cedar calls the policies of a text `policy0`, `policy1` and so on.
            let id = policy.id().to_string();
            let number = id.strip_prefix("policy").and_then(|number| number.parse::<usize>().ok());
            let offset = number.and_then(|number| offsets.get(number)).copied();
            let Some(matched) = self.match_of(policy, offset) else { continue };
            let is_permit = policy.effect() == Effect::Permit;
            for tool in tools_of(policy) {
                let by_effect = sorted.entry(tool).or_default();
                // A policy that names a tool twice was already added.
                let _ =
                    by_effect.entry((matched.decision, is_permit)).or_default().add(policy.clone());
            }
            self.matches.insert(id, matched);
        }
        let flat = |sets: BTreeMap<_, PolicySet>| sets.into_values().collect();
        let general = sorted.remove(&None).map(flat).unwrap_or_default();
        let by_tool = sorted.into_iter().filter_map(|(tool, sets)| Some((tool?, flat(sets))));
        (general, by_tool.collect())
    }

    /// What the policy decides when it is satisfied.
    fn match_of(&mut self, policy: &Policy, offset: Option<usize>) -> Option<PolicyMatch> {
        let written = policy.annotation("id");
        let id = written.map_or_else(|| policy.id().to_string(), str::to_owned);
        let rule = match id.parse::<RuleId>() {
            Ok(rule) => rule,
            Err(error) => {
                self.note_at(written, offset, CedarProblemKind::Id(error));
                return None;
            }
        };
        if self.taken.contains(rule.as_str()) || !self.ids.insert(rule.clone()) {
            self.note_at(written, offset, CedarProblemKind::DuplicateId);
        }
        let decision = match (policy.annotation("effect"), policy.effect()) {
            (None, Effect::Permit) => Decision::Allow,
            (None, Effect::Forbid) => Decision::Deny,
            (Some("ask"), _) => Decision::Ask,
            (Some(_), _) => {
                self.note_at(written, offset, CedarProblemKind::Effect);
                return None;
            }
        };
        let source = policy.annotation("source").map(str::parse::<RuleSource>).transpose();
        if source.is_err() {
            self.note_at(written, offset, CedarProblemKind::Source);
        }
        let bypass_immune = policy.annotation("bypass_immune").is_some();
        if bypass_immune && decision != Decision::Ask {
            self.note_at(written, offset, CedarProblemKind::ImmuneWithoutAsk);
        }
        let source = source.ok().flatten();
        Some(PolicyMatch { policy: rule, decision, source, bypass_immune })
    }

    fn check_meaning(&mut self, validator: &Validator, set: &PolicySet) {
        let result = validator.validate(set, ValidationMode::Strict);
        for error in result.validation_errors() {
            self.note_meaning(error.policy_id().as_ref(), error);
        }
        for warning in result.validation_warnings() {
            // A policy that can never apply is a mistake; a `forbid` that can never apply is a security hole.
            if matches!(
                warning,
                ValidationWarning::ImpossiblePolicy(_)
                    | ValidationWarning::InvalidActionApplication(_)
            ) {
                self.note_meaning(warning.policy_id().as_ref(), warning);
            }
        }
    }

    fn note_meaning(&mut self, policy: &str, diagnostic: &dyn Diagnostic) {
        let id = self.matches.get(policy).map(|matched| matched.policy.to_string());
        let at = position(self.text, diagnostic);
        self.note(id.as_deref(), at, CedarProblemKind::Meaning(message(diagnostic)));
    }
}

/// Returns the tools that a policy names; `None` stands for all tools.
fn tools_of(policy: &Policy) -> Vec<Option<Box<str>>> {
    let id = |uid: &EntityUid| Some(uid.id().unescaped().into());
    match policy.action_constraint() {
        ActionConstraint::Any => vec![None],
        ActionConstraint::Eq(action) => vec![id(&action)],
        // Actions have no parents here, so `in` means `==`.
        ActionConstraint::In(actions) => actions.iter().map(id).collect(),
    }
}
