//! Where in a policy something is.

use std::fmt;

use assent_json::{Pointer, Position};

/// A place that a problem is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a rule.
    Rule {
        /// Which of the rules, from 0.
        index: usize,
        /// Where in it.
        pointer: Pointer,
    },
    /// In a grant.
    Grant(Pointer),
    /// In the text of the Cedar policies; at its very beginning, if nothing better is known.
    Cedar(Position),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule { index, pointer } => write!(f, "/rules/{index}{pointer}"),
            Self::Grant(pointer) => write!(f, "grant{pointer}"),
            Self::Cedar(position) => write!(f, "policies, {position}"),
        }
    }
}
