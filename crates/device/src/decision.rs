//! What a person can answer.

use assent_protocol::a2h::Sensitivity;
use assent_runtime::{Answer, Remember};

/// The answer of the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The call may run.
    AllowOnce,
    /// The call may run, and for 24 hours so may calls of the same tool in the same place. Only for scopes of medium
    /// sensitivity.
    Allow24h,
    /// The call must not run.
    Deny,
}

impl Decision {
    const ALL: [Self; 3] = [Self::AllowOnce, Self::Allow24h, Self::Deny];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AllowOnce => "allow_once",
            Self::Allow24h => "allow_24h",
            Self::Deny => "deny",
        }
    }

    /// The decision with this word.
    #[must_use]
    pub fn find(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|decision| decision.as_str() == word)
    }

    /// Returns `true` if the call may run.
    #[must_use]
    pub const fn allows(self) -> bool {
        !matches!(self, Self::Deny)
    }

    /// Returns `true` if it can be chosen for a scope of this sensitivity.
    #[must_use]
    pub const fn is_offered(self, sensitivity: Sensitivity) -> bool {
        !matches!((self, sensitivity), (Self::Allow24h, Sensitivity::High))
    }
}

impl From<Decision> for Answer {
    fn from(decision: Decision) -> Self {
        let remember = Remember::Once;
        if decision.allows() {
            Self::Allow { edit: None, feedback: None, remember }
        } else {
            Self::Deny { feedback: None, remember }
        }
    }
}
