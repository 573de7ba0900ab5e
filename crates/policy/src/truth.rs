//! What can be said about a condition: it holds, it fails, or nobody can tell.

use crate::Decision;

/// Ordered so that "and" is `min` and "or" is `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Truth {
    /// It does not hold.
    Fails,
    /// The value is there, but it cannot be judged.
    Unknown,
    /// It holds.
    Holds,
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Fails }
    }
}

/// Which way a mistake would do harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// What matches may run: doubt means that it does not match.
    Permit,
    /// What matches is asked about or denied: doubt means that it does match.
    Restrict,
}

impl Side {
    pub(crate) fn of(decision: Decision) -> Self {
        match decision {
            Decision::Allow => Self::Permit,
            Decision::Ask | Decision::Deny => Self::Restrict,
        }
    }

    /// Whether a rule of this side whose conditions are `truth` matches.
    pub(crate) fn takes(self, truth: Truth) -> bool {
        match self {
            Self::Permit => truth == Truth::Holds,
            Self::Restrict => truth != Truth::Fails,
        }
    }
}
