//! Reads policies, checks what they mean, and sorts them by effect.

use std::collections::{BTreeMap, BTreeSet};

use assent_ids::RuleId;
use assent_json::Position;
use assent_protocol::agent_tool::RuleSource;
use cedar_policy::{
    ActionConstraint, Authorizer, Effect, EntityUid, Policy, PolicySet, ValidationMode,
    ValidationWarning, Validator,
};
use miette::Diagnostic;

use super::{
    Cedar, Sets, ToolShape, Voice,
    schema::Tools,
    source_text::{message, out_of_bounds, policy_offsets, position},
};
use crate::{Decision, Place, PolicyProblem, ProblemKind, RuleSpec};

impl Cedar {
    /// Loads policies; notes every problem. `taken` are the ids of the rules.
    pub(crate) fn load<'t>(
        text: &str,
        tools: impl Iterator<Item = ToolShape<'t>>,
        taken: &BTreeMap<RuleId, &RuleSpec>,
        problems: &mut Vec<PolicyProblem>,
    ) -> Option<Self> {
        let mut loader =
            Loader { text, taken, problems, ids: BTreeSet::new(), voices: BTreeMap::new() };
        let set = loader.read()?;
        let tools = match Tools::new(tools) {
            Ok(tools) => tools,
            Err(why) => {
                loader.note(None, None, ProblemKind::CedarSchema(why));
                return None;
            }
        };
        let (general, by_tool) = loader.sort(&set);
        let validator = Validator::new(tools.schema);
        loader.check_meaning(&validator, &set);
        Some(Self {
            authorizer: Authorizer::new(),
            general,
            by_tool,
            voices: loader.voices,
            tools: tools.records,
            entities: tools.entities,
            names: tools.names,
        })
    }
}

struct Loader<'l> {
    text: &'l str,
    taken: &'l BTreeMap<RuleId, &'l RuleSpec>,
    problems: &'l mut Vec<PolicyProblem>,
    ids: BTreeSet<RuleId>,
    voices: BTreeMap<String, Voice>,
}

impl Loader<'_> {
    fn note(&mut self, id: Option<&str>, position: Option<Position>, kind: ProblemKind) {
        // Nothing better is known about a problem without a place than where the text begins.
        let place = Place::Cedar(position.unwrap_or(Position { line: 1, column: 1 }));
        self.problems.push(PolicyProblem { id: id.map(str::to_owned), place, kind });
    }

    fn note_at(&mut self, id: Option<&str>, offset: Option<usize>, kind: ProblemKind) {
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
                    self.note(template.annotation("id"), None, ProblemKind::CedarTemplate);
                }
                Some(set)
            }
            Err(errors) => {
                for error in errors.iter() {
                    let at = position(self.text, error);
                    self.note(None, at, ProblemKind::CedarSyntax(message(error)));
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
            let Some(voice) = self.voice(policy, offset) else { continue };
            let is_permit = policy.effect() == Effect::Permit;
            for tool in tools_of(policy) {
                let by_effect = sorted.entry(tool).or_default();
                // A policy that names a tool twice is there already.
                let _ =
                    by_effect.entry((voice.decision, is_permit)).or_default().add(policy.clone());
            }
            self.voices.insert(id, voice);
        }
        let flat = |sets: BTreeMap<_, PolicySet>| sets.into_values().collect();
        let general = sorted.remove(&None).map(flat).unwrap_or_default();
        let by_tool = sorted.into_iter().filter_map(|(tool, sets)| Some((tool?, flat(sets))));
        (general, by_tool.collect())
    }

    fn voice(&mut self, policy: &Policy, offset: Option<usize>) -> Option<Voice> {
        let written = policy.annotation("id");
        let id = written.map_or_else(|| policy.id().to_string(), str::to_owned);
        let rule = match id.parse::<RuleId>() {
            Ok(rule) => rule,
            Err(error) => {
                self.note_at(written, offset, ProblemKind::Id(error));
                return None;
            }
        };
        if self.taken.contains_key(&rule) || !self.ids.insert(rule.clone()) {
            self.note_at(written, offset, ProblemKind::DuplicateId);
        }
        let decision = match (policy.annotation("effect"), policy.effect()) {
            (None, Effect::Permit) => Decision::Allow,
            (None, Effect::Forbid) => Decision::Deny,
            (Some("ask"), _) => Decision::Ask,
            (Some(_), _) => {
                self.note_at(written, offset, ProblemKind::CedarEffect);
                return None;
            }
        };
        let source = policy.annotation("source").map(str::parse::<RuleSource>).transpose();
        if source.is_err() {
            self.note_at(written, offset, ProblemKind::CedarSource);
        }
        let bypass_immune = policy.annotation("bypass_immune").is_some();
        if bypass_immune && decision != Decision::Ask {
            self.note_at(written, offset, ProblemKind::ImmuneWithoutAsk);
        }
        Some(Voice { rule, decision, source: source.ok().flatten(), bypass_immune })
    }

    fn check_meaning(&mut self, validator: &Validator, set: &PolicySet) {
        let result = validator.validate(set, ValidationMode::Strict);
        for error in result.validation_errors() {
            self.note_meaning(error.policy_id().as_ref(), error);
        }
        for warning in result.validation_warnings() {
            // A policy that can never apply is a mistake, and a `forbid` that can never apply a hole.
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
        let id = self.voices.get(policy).map(|voice| voice.rule.to_string());
        let at = position(self.text, diagnostic);
        self.note(id.as_deref(), at, ProblemKind::CedarMeaning(message(diagnostic)));
    }
}

/// The tools that a policy names; none stands for all.
fn tools_of(policy: &Policy) -> Vec<Option<Box<str>>> {
    let id = |uid: &EntityUid| Some(uid.id().unescaped().into());
    match policy.action_constraint() {
        ActionConstraint::Any => vec![None],
        ActionConstraint::Eq(action) => vec![id(&action)],
        // Actions have no parents here, so being in one is being it.
        ActionConstraint::In(actions) => actions.iter().map(id).collect(),
    }
}
