//! Three-valued logic: a condition holds, fails, or cannot be judged.

use crate::Decision;

/// Ordered so that "and" is `min` and "or" is `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Truth {
    /// The condition does not hold.
    Fails,
    /// There is a value, but it cannot be judged.
    Unknown,
    /// The condition holds.
    Holds,
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Fails }
    }
}

/// Whether a match allows or restricts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// A match allows: what cannot be judged does not match.
    Permit,
    /// A match asks or denies: what cannot be judged matches.
    Restrict,
}

impl Side {
    pub(crate) fn of(decision: Decision) -> Self {
        match decision {
            Decision::Allow => Self::Permit,
            Decision::Ask | Decision::Deny => Self::Restrict,
        }
    }

    /// Returns `true` if a rule of this side matches when its conditions are `truth`.
    pub(crate) fn takes(self, truth: Truth) -> bool {
        match self {
            Self::Permit => truth == Truth::Holds,
            Self::Restrict => truth != Truth::Fails,
        }
    }
}
