//! Allow, ask or deny.

use std::fmt;

use assent_protocol::{agent_tool::Behavior, wire::Word};

/// A decision about a call, ordered by strictness: opinions are combined with `max`.
///
/// The records have a fourth word, `passthrough`; here it is the absence of an opinion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// The call may run.
    Allow,
    /// A person must be asked first.
    Ask,
    /// The call must not run.
    Deny,
}

impl Decision {
    /// Returns the decision for a word of the records; `None` for `passthrough`.
    #[must_use]
    pub fn of(behavior: Behavior) -> Option<Self> {
        match behavior {
            Behavior::Allow => Some(Self::Allow),
            Behavior::Ask => Some(Self::Ask),
            Behavior::Deny => Some(Self::Deny),
            Behavior::Passthrough => None,
        }
    }

    /// Returns the word of the records.
    #[must_use]
    pub fn behavior(self) -> Behavior {
        match self {
            Self::Allow => Behavior::Allow,
            Self::Ask => Behavior::Ask,
            Self::Deny => Behavior::Deny,
        }
    }
}

impl Word for Decision {
    const WORDS: &'static [Self] = &[Self::Allow, Self::Ask, Self::Deny];

    fn word(self) -> &'static str {
        self.behavior().as_str()
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.behavior().as_str())
    }
}
