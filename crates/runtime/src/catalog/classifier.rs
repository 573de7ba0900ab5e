//! Programs that judge an input: is this command read-only, does that statement destroy anything?

use std::{collections::BTreeMap, fmt, sync::Arc};

use assent_protocol::agent_tool::FlagName;
use serde_json::Value;

use crate::panics::caught_call;

/// Judges inputs. It answers at once and from what it is given: it opens and asks nothing.
pub trait Classifier: Send + Sync {
    /// Whether `fact` holds for an input. `evidence` is the part of it that the tool names.
    ///
    /// # Errors
    /// If it cannot tell; the careful value is taken then.
    fn classify(&self, fact: FlagName, evidence: &Value)
    -> Result<Classification, ClassifierError>;
}

/// What a classifier found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classification {
    /// Whether the fact holds.
    pub answer: bool,
    /// How sure it is, in percent.
    pub confidence: Option<u8>,
    /// Why, without values of the input: it is recorded.
    pub reason: Option<String>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClassifierError {
    /// It looked and does not know.
    #[error("it cannot tell: {0}")]
    Undecided(String),
    /// It broke.
    #[error("it failed: {0}")]
    Failed(String),
    /// There is none of that name.
    #[error("there is no such classifier")]
    Unknown,
    /// The input does not have what the classifier should look at.
    #[error("the input does not have the part that it looks at")]
    NoEvidence,
}

/// The classifiers of a runtime, by name.
#[derive(Clone, Default)]
pub struct Classifiers(BTreeMap<String, Arc<dyn Classifier>>);

impl Classifiers {
    /// None at all: whatever a tool leaves to a classifier gets the careful value.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Adds one; an earlier one of that name is replaced.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, classifier: Arc<dyn Classifier>) -> Self {
        self.0.insert(name.into(), classifier);
        self
    }

    /// Asks one. A panic of its code is an answer that it could not give.
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
