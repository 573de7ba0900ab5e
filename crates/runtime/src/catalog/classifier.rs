//! Classifiers, which determine facts about an input: is this command read-only, does that statement destroy data?

use std::{collections::BTreeMap, fmt, sync::Arc};

use assent_protocol::agent_tool::FlagName;
use serde_json::Value;

use crate::panics::caught_call;

/// Determines facts about inputs. It must answer immediately, without opening anything.
pub trait Classifier: Send + Sync {
    /// Determines whether `fact` holds for an input. `evidence` is the part of the input that the tool names.
    ///
    /// # Errors
    /// If it cannot determine the fact; the conservative value is used then.
    fn classify(&self, fact: FlagName, evidence: &Value)
    -> Result<Classification, ClassifierError>;
}

/// The answer of a classifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classification {
    /// Whether the fact holds.
    pub answer: bool,
    /// The confidence, in percent.
    pub confidence: Option<u8>,
    /// The reason, without values of the input, because it is recorded.
    pub reason: Option<String>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClassifierError {
    /// The classifier cannot determine the fact.
    #[error("it cannot determine the fact: {0}")]
    Undecided(String),
    /// The classifier failed.
    #[error("it failed: {0}")]
    Failed(String),
    /// There is no classifier with that name.
    #[error("there is no such classifier")]
    Unknown,
    /// The input lacks the part that the classifier needs.
    #[error("the input does not have the part that it looks at")]
    NoEvidence,
}

/// The classifiers of a runtime, by name.
#[derive(Clone, Default)]
pub struct Classifiers(BTreeMap<String, Arc<dyn Classifier>>);

impl Classifiers {
    /// No classifiers: every fact that a tool leaves to a classifier has the conservative value.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Adds a classifier, or replaces the one with the same name.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, classifier: Arc<dyn Classifier>) -> Self {
        self.0.insert(name.into(), classifier);
        self
    }

    /// Asks a classifier. A panic counts as a failure.
    pub(super) fn ask(
        &self,
        name: &str,
        fact: FlagName,
        evidence: Option<&Value>,
    ) -> Result<Classification, ClassifierError> {
        let classifier = self.0.get(name).ok_or(ClassifierError::Unknown)?;
        let evidence = evidence.ok_or(ClassifierError::NoEvidence)?;
        caught_call(|| classifier.classify(fact, evidence))
            .unwrap_or_else(|panicked| Err(ClassifierError::Failed(panicked)))
    }
}

impl fmt::Debug for Classifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
