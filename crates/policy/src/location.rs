//! Locations of problems in a policy.

use std::fmt;

use assent_json::Pointer;

/// The part of a policy that a problem is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A part of a rule.
    Rule {
        /// The index of the rule, from 0.
        index: usize,
        /// The part of the rule.
        pointer: Pointer,
    },
    /// A part of a grant.
    Grant(Pointer),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule { index, pointer } => write!(f, "/rules/{index}{pointer}"),
            Self::Grant(pointer) => write!(f, "grant{pointer}"),
        }
    }
}
