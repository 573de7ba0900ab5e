//! What is wrong with a policy. Loading reports all of it at once.

use std::fmt;

use assent_ids::ParseIdError;
use assent_json::Pointer;

use crate::{GlobError, Place};

/// One thing that is wrong with a policy, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyProblem {
    /// The id of the rule, policy or grant, as it was written.
    pub id: Option<String>,
    /// Where.
    pub place: Place,
    /// What.
    pub kind: ProblemKind,
}

impl fmt::Display for PolicyProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.place)?;
        if let Some(id) = &self.id {
            write!(f, " (`{}`)", assent_json::shorten(id, 80))?;
        }
        write!(f, ": {}", self.kind)
    }
}

impl std::error::Error for PolicyProblem {}

/// Problems of one rule or grant, while it is compiled: where in it, and what.
pub(crate) type Faults = Vec<(Pointer, ProblemKind)>;

/// Keeps a good value, or notes what is wrong with it.
pub(crate) fn keep<T, E: Into<ProblemKind>>(
    result: Result<T, E>,
    at: impl FnOnce() -> Pointer,
    faults: &mut Faults,
) -> Option<T> {
    result.map_err(|error| faults.push((at(), error.into()))).ok()
}

/// What can be wrong with a policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemKind {
    /// There are more rules than a policy may have.
    #[error("a policy has at most {0} rules")]
    TooManyRules(usize),
    /// A rule or grant has more conditions or examples than it may have.
    #[error("at most {0} are allowed here")]
    TooMany(usize),
    /// The id is none.
    #[error(transparent)]
    Id(#[from] ParseIdError),
    /// Two different rules have the same id.
    #[error("the id is taken by another rule or policy")]
    DuplicateId,
    /// `passthrough` is the absence of a rule.
    #[error("a rule is `allow`, `ask` or `deny`: leave the rule out to have no opinion")]
    Passthrough,
    /// Only an `ask` can be immune.
    #[error(
        "`bypass_immune` belongs to an `ask`: a `deny` is final anyway, an `allow` bypasses nothing"
    )]
    ImmuneWithoutAsk,
    /// A pattern of names is none.
    #[error(transparent)]
    Glob(#[from] GlobError),
    /// A path is no JSON Pointer.
    #[error(
        "a path is a JSON Pointer: empty, or a `/` before each step, `~` only in `~0` and `~1`"
    )]
    Pointer,
    /// A condition says nothing.
    #[error("a condition needs a test, such as `equals`, `under` or `host`")]
    NoTest,
    /// A value cannot be read strictly.
    #[error("the value cannot be compared: {0}")]
    Value(String),
    /// A number of a comparison is none.
    #[error("the number cannot be compared exactly: use one that a double holds")]
    Number,
    /// A regular expression cannot be compiled.
    #[error("`{0}` is not a regular expression that is matched in linear time")]
    Regex(String),
    /// A regular expression is too long, or takes too much memory.
    #[error("`{0}` is too large a regular expression")]
    RegexTooLarge(String),
    /// A directory cannot be compared.
    #[error(
        "`{0}` is no directory that paths can be compared with: write it with `/`, without `~`, and not above its own start"
    )]
    Directory(String),
    /// A host pattern is none.
    #[error("`{0}` is no pattern for hosts: write names such as `*.example.com`, or an address")]
    Host(String),
    /// A host pattern of an allow rule admits hosts of strangers.
    #[error(
        "`{0}` would allow hosts of strangers: end it in whole labels, such as `*.example.com`"
    )]
    LooseHost(String),
    /// A URL pattern is none.
    #[error(
        "`{0}` is no pattern for URLs: write `scheme://host/path`, with `*` where it does not matter"
    )]
    Url(String),
    /// A command pattern is none.
    #[error("`{0}` is no command: write plain words, such as `git status`")]
    Command(String),
    /// A digest is none.
    #[error("a digest is written as 64 lower-case hexadecimal digits")]
    Digest,
    /// Taking something away from a denial would let more happen.
    #[error("a denial cannot be narrowed")]
    NarrowedDeny,
    /// A rule contradicts its own examples.
    #[error("the rule does not match the example, but should")]
    MatchExample,
    /// A rule contradicts its own examples.
    #[error("the rule matches the example, but should not")]
    NotMatchExample,
    /// The Cedar text is too long.
    #[error("Cedar policies have at most {0} bytes")]
    CedarTooLong(usize),
    /// The Cedar text nests too deeply.
    #[error("Cedar policies nest at most {0} brackets")]
    CedarTooDeep(usize),
    /// A Cedar policy has too many operators.
    #[error("a Cedar policy has at most {0} operators: split it, or compare with a set")]
    CedarTooManyOperators(usize),
    /// The Cedar text cannot be read.
    #[error("{0}")]
    CedarSyntax(String),
    /// A Cedar policy speaks of what the tools do not have.
    #[error("{0}")]
    CedarMeaning(String),
    /// A Cedar template was given.
    #[error("templates are not supported: write a policy without `?principal` and `?resource`")]
    CedarTemplate,
    /// The annotation `@effect` has another value than `ask`.
    #[error("`@effect` can only be \"ask\": `permit` and `forbid` say the rest")]
    CedarEffect,
    /// The annotation `@source` is no source of rules.
    #[error("`@source` is one of the sources of rules, such as \"policy_settings\"")]
    CedarSource,
    /// The schema of the tools cannot be made.
    #[error("the tools give no schema for policies: {0}")]
    CedarSchema(String),
}
