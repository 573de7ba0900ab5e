//! What was decided about a call. Its record is made when somebody first reads it.

use std::sync::OnceLock;

use assent_ids::DecisionId;
use assent_journal::{ClassifierNote, Considered, Decided, RuleNote, Source};
use assent_policy::{Decision, Mode, Reason, Verdict};
use assent_protocol::agent_tool::{ReasonType, SuggestedUpdate};

/// A verdict, and what it was about.
pub(super) struct Judgement {
    pub(super) id: DecisionId,
    pub(super) mode: Mode,
    pub(super) verdict: Verdict,
    pub(super) considered: Considered,
    pub(super) classifiers: Vec<ClassifierNote>,
    pub(super) suggested: Vec<SuggestedUpdate>,
    /// When the permission ends that a grant gives, in milliseconds since 1970.
    pub(super) expires_at: Option<u64>,
    pub(super) made: OnceLock<Box<Decided>>,
}

impl Judgement {
    fn decided(&self) -> Decided {
        let mut decided = plain(self.id, self.verdict.decision, self.mode, self.verdict.decisive());
        decided.rules = rules_that_spoke(&self.verdict);
        decided.policies = policies(&self.verdict);
        decided.classifiers.clone_from(&self.classifiers);
        decided.suggested.clone_from(&self.suggested);
        decided.grant = self.verdict.grant.as_ref().map(|grant| grant.to_string().into());
        decided.expires_at = self.expires_at;
        decided.considered = Some(Box::new(self.considered.clone()));
        decided
    }
}

impl Source<Decided> for Judgement {
    fn record(&self) -> &Decided {
        self.made.get_or_init(|| Box::new(self.decided()))
    }
}

/// A decision with its reason and nothing else.
pub(super) fn plain(
    id: DecisionId,
    decision: Decision,
    mode: Mode,
    reason: Option<&Reason>,
) -> Decided {
    Decided {
        id,
        behavior: decision.behavior(),
        mode: mode.as_str().into(),
        reason: reason.map_or(ReasonType::Other, |reason| reason.kind),
        message: reason.map(|reason| reason.line().into()),
        source: reason.and_then(|reason| reason.source),
        rules: Vec::new(),
        policies: Vec::new(),
        updated_input: None,
        user_modified: false,
        feedback: None,
        suggested: Vec::new(),
        classifiers: Vec::<ClassifierNote>::new(),
        grant: None,
        approval: None,
        expires_at: None,
        considered: None,
    }
}

/// The rules behind a verdict, each once, the deciding one first.
fn rules_that_spoke(verdict: &Verdict) -> Vec<RuleNote> {
    let mut spoke: Vec<RuleNote> = Vec::new();
    for note in verdict.reasons.iter().filter_map(named) {
        if !spoke.contains(&note) {
            spoke.push(note);
        }
    }
    spoke
}

/// The rule behind a reason. A grant takes the place of a rule, and is named like one.
fn named(reason: &Reason) -> Option<RuleNote> {
    let grant = || reason.grant.as_ref().and_then(|grant| grant.as_str().parse().ok());
    let id = reason.rule.clone().or_else(grant)?;
    Some(RuleNote { id, source: reason.source })
}

/// The policies behind a verdict.
pub(super) fn policies(verdict: &Verdict) -> Vec<String> {
    let of_policies = verdict.reasons.iter().filter(|reason| reason.kind == ReasonType::Policy);
    let mut named: Vec<String> =
        of_policies.filter_map(|reason| reason.rule.as_ref()).map(ToString::to_string).collect();
    named.dedup();
    named
}
