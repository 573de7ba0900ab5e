//! Allow, ask or deny.

use std::fmt;

use assent_protocol::agent_tool::Behavior;

/// What is to happen with a call, ordered by strictness: combining opinions is `max`.
///
/// The wire has a fourth word, `passthrough`; here it is the absence of an opinion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// It may run.
    Allow,
    /// A person is asked first.
    Ask,
    /// It must not run.
    Deny,
}

impl Decision {
    /// The opinion that a word of the wire stands for; `passthrough` is none.
    #[must_use]
    pub fn of(behavior: Behavior) -> Option<Self> {
        match behavior {
            Behavior::Allow => Some(Self::Allow),
            Behavior::Ask => Some(Self::Ask),
            Behavior::Deny => Some(Self::Deny),
            Behavior::Passthrough => None,
        }
    }

    /// The word of the wire.
    #[must_use]
    pub fn behavior(self) -> Behavior {
        match self {
            Self::Allow => Behavior::Allow,
            Self::Ask => Behavior::Ask,
            Self::Deny => Behavior::Deny,
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.behavior().as_str())
    }
}
