//! Permission rules.

use assent_ids::RuleId;
use assent_json::Pointer;
use assent_protocol::agent_tool::{Behavior, RuleSource};
use serde_json::{Number, Value};

use super::Pattern;
use crate::vocabulary::vocabulary;

/// A rule: if all its conditions hold, it speaks.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Its id.
    pub id: RuleId,
    /// What it says.
    pub verdict: Verdict,
    /// Where it comes from.
    pub source: Option<RuleSource>,
    /// Only for tools that this glob names.
    pub tool: Option<String>,
    /// What must be true of the arguments.
    pub arguments: Vec<Condition>,
    /// The rule as it was written, for whoever has a reader of rules of their own.
    pub written: Value,
}

/// What must be true of one argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Which argument.
    pub path: Pointer,
    /// What must be true of it, all of it; there is at least one.
    pub tests: Vec<Test>,
}

/// What an argument is tested for.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// It is this value.
    Equals(Value),
    /// It is a text that this matches.
    Matches(Pattern),
    /// It is a path below this directory.
    Under(String),
    /// It is a URL with a host that this glob names.
    Host(String),
    /// It is one of these values.
    In(Vec<Value>),
    /// It is a number above this one.
    Above(Number),
}

vocabulary! {
    /// What a rule or a hook says about a call.
    pub Verdict {
        /// It may run.
        Allow = "allow",
        /// Somebody has to be asked.
        Ask = "ask",
        /// It must not run.
        Deny = "deny",
    }
}

impl From<Verdict> for Behavior {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Allow => Self::Allow,
            Verdict::Ask => Self::Ask,
            Verdict::Deny => Self::Deny,
        }
    }
}
