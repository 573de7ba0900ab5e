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
    /// Only as long as the tool's definition has this digest.
    pub definition: Option<String>,
    /// Only for this native operation.
    pub operation: Option<String>,
    /// Only for this caller.
    pub actor: Option<String>,
    /// What must be true of the arguments.
    pub arguments: Vec<Condition>,
    /// No grant and no hook spares the question.
    pub bypass_immune: bool,
    /// Calls that it must match.
    pub matching: Vec<RuleExample>,
    /// Calls that it must not match.
    pub not_matching: Vec<RuleExample>,
    /// The rule as it was written, for whoever has a reader of rules of their own.
    pub written: Value,
}

/// A call that a rule must, or must not, match. What it leaves out fits.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleExample {
    /// A name of the tool.
    pub tool: Option<String>,
    /// The native operation.
    pub operation: Option<String>,
    /// Who calls.
    pub actor: Option<String>,
    /// The arguments.
    pub input: Value,
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
    /// It is a URL that this pattern matches.
    Url(String),
    /// It is a command that begins with one of these.
    Command(Vec<String>),
    /// It is one of these values.
    In(Vec<Value>),
    /// It is a number above this one.
    Above(Number),
    /// It is a number below this one.
    Below(Number),
    /// Whether it is not there.
    Absent(bool),
    /// Its canonical form has this digest.
    Digest(String),
    /// It has this shape.
    Shape(String),
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
