//! Whether a tool is safe for an input. Facts that are not stated have conservative values: not read-only, not
//! concurrency-safe, destructive, open-world.

mod hints;
mod rule;

use std::collections::BTreeMap;

use assent_journal::ClassifierNote;
use assent_json::Json;
use assent_protocol::agent_tool::{Flag, FlagName};

use self::{hints::Hints, rule::Rule};
use super::{Classifiers, ToolDefinition, classifier_input::ClassifierInput, register::Findings};

/// The statements of a producer about the effects of a tool, and how the rest is determined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Safety {
    enabled: Rule,
    read_only: Rule,
    concurrency_safe: Rule,
    destructive: Rule,
    open_world: Rule,
    hints: Hints,
    /// Its locks or the host isolate its writes from other calls.
    isolated: bool,
    evidence: ClassifierInput,
}

/// The facts that hold for one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SafetyFacts {
    /// Whether the tool can be used.
    pub enabled: bool,
    /// Whether it changes nothing.
    pub read_only: bool,
    /// Whether it may run concurrently with other calls.
    pub concurrency_safe: bool,
    /// Whether it may destroy something.
    pub destructive: bool,
    /// Whether it reaches beyond a closed set of resources.
    pub open_world: bool,
    /// The questions to classifiers and their answers.
    pub notes: Vec<ClassifierNote>,
}

impl Safety {
    /// Reads a definition. Statements that cannot be understood are reported and have the conservative value.
    pub(super) fn of(definition: &ToolDefinition, findings: &mut Findings) -> Self {
        let hints = Hints::of(definition);
        let rule = |fact| Rule::of(&definition.interface, fact);
        for (fact, flag) in rule::flags(&definition.interface) {
            if flag.is_some() && rule(fact) == Rule::Unreadable {
                let message = "it cannot be understood, so the conservative value is used: \
                               use true, false, `classifier:<id>` or `same_as:<fact>`";
                findings.lint(format!("/interface/{fact}"), message);
            }
        }
        Self {
            enabled: rule(FlagName::IsEnabled),
            read_only: rule(FlagName::IsReadOnly).or_trusted(hints.trusted_read_only),
            concurrency_safe: rule(FlagName::IsConcurrencySafe),
            destructive: rule(FlagName::IsDestructive).or_trusted(hints.trusted_destructive),
            open_world: rule(FlagName::IsOpenWorld).or_trusted(hints.trusted_open_world),
            isolated: !definition.locks.is_empty() || definition.trusted,
            evidence: ClassifierInput::of(definition.interface.classifier_input.as_ref()),
            hints,
        }
    }

    /// Determines the facts that hold for `input`.
    #[must_use]
    pub fn judge(&self, input: &Json, classifiers: &Classifiers) -> SafetyFacts {
        let mut inquiry = Inquiry {
            safety: self,
            input,
            classifiers,
            answers: BTreeMap::new(),
            notes: Vec::new(),
        };
        let enabled = inquiry.value(&self.enabled);
        let read_only = inquiry.value(&self.read_only);
        let concurrency_safe = inquiry.value(&self.concurrency_safe);
        let destructive = inquiry.value(&self.destructive);
        let open_world = inquiry.value(&self.open_world);

        let is_harmful = destructive == Some(true) || self.hints.is_destructive;
        // Of two contradicting statements the conservative one counts.
        let is_read_only = read_only == Some(true) && !is_harmful && !self.hints.is_writing;
        SafetyFacts {
            enabled: enabled.unwrap_or(self.enabled == Rule::Unsaid),
            read_only: is_read_only,
            concurrency_safe: concurrency_safe == Some(true)
                && (is_read_only || self.writes_beside_others()),
            // What changes nothing destroys nothing; everything else may, unless it is denied.
            destructive: is_harmful || (destructive.is_none() && !is_read_only),
            open_world: open_world.unwrap_or(true) || self.hints.is_open_world,
            notes: inquiry.notes,
        }
    }

    /// Returns `true` if locks, the host or a classifier support the producer's statement that a writing call
    /// may run concurrently.
    fn writes_beside_others(&self) -> bool {
        self.isolated
            || matches!(
                self.concurrency_safe,
                Rule::Classifier { about: FlagName::IsConcurrencySafe, .. }
            )
    }

    /// Whether the tool may be offered, as far as it does not depend on the input.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        !matches!(self.enabled, Rule::Known(false) | Rule::Unreadable)
    }

    /// Whether every call of the tool counts as a change, whatever its input.
    #[must_use]
    pub fn always_writes(&self) -> bool {
        let destroys = self.destructive == Rule::Known(true) || self.hints.is_destructive;
        let may_be_read_only = matches!(
            self.read_only,
            Rule::Known(true) | Rule::Inferred(true) | Rule::Classifier { .. }
        );
        destroys || self.hints.is_writing || !may_be_read_only
    }

    /// Whether no call of the tool changes anything, whatever its input.
    #[must_use]
    pub fn never_writes(&self) -> bool {
        let says_so = matches!(self.read_only, Rule::Known(true) | Rule::Inferred(true));
        let may_destroy = matches!(
            self.destructive,
            Rule::Known(true) | Rule::Inferred(true) | Rule::Classifier { .. }
        );
        says_so && !may_destroy && !self.hints.is_destructive && !self.hints.is_writing
    }

    /// The facts as an exported record states them, and whether each was derived. An unknown destructiveness is
    /// not stated.
    pub(super) fn exported(&self) -> [(FlagName, Option<Flag>, bool); 5] {
        let all = [
            (FlagName::IsEnabled, &self.enabled, Some(true)),
            (FlagName::IsReadOnly, &self.read_only, Some(false)),
            (FlagName::IsConcurrencySafe, &self.concurrency_safe, Some(false)),
            (FlagName::IsDestructive, &self.destructive, None),
            (FlagName::IsOpenWorld, &self.open_world, Some(true)),
        ];
        all.map(|(fact, rule, careful)| {
            let (flag, is_derived) = rule.exported(fact);
            (fact, flag.or(careful.map(Flag::Stated)), is_derived)
        })
    }
}

/// The questions about one input. Each classifier is asked once per fact.
struct Inquiry<'a> {
    safety: &'a Safety,
    input: &'a Json,
    classifiers: &'a Classifiers,
    answers: BTreeMap<FlagName, Option<bool>>,
    notes: Vec<ClassifierNote>,
}

impl Inquiry<'_> {
    /// Whether the fact holds; `None` if that is unknown.
    fn value(&mut self, rule: &Rule) -> Option<bool> {
        match rule {
            Rule::Known(value) | Rule::Inferred(value) => Some(*value),
            Rule::Unsaid | Rule::Unreadable => None,
            Rule::Classifier { id, about } => match self.answers.get(about) {
                Some(answer) => *answer,
                None => self.ask(id, *about),
            },
        }
    }

    fn ask(&mut self, id: &str, about: FlagName) -> Option<bool> {
        let evidence = self.safety.evidence.of_input(self.input);
        let said = self.classifiers.ask(id, about, evidence.as_ref());
        let (answer, confidence, reason) = match said {
            Ok(said) => (Some(said.answer), said.confidence, said.reason),
            Err(error) => (None, None, Some(error.to_string())),
        };
        let (classifier, fact) = (id.to_owned(), about.to_string());
        self.notes.push(ClassifierNote { classifier, fact, answer, confidence, reason });
        self.answers.insert(about, answer);
        answer
    }
}
