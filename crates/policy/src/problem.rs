//! Problems of a policy. Loading reports all of them at once.

use std::fmt;

use assent_ids::ParseIdError;
use assent_json::Pointer;

use crate::{GlobError, Location};

/// A problem of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyProblem {
    /// The id of the rule or grant, as it was written.
    pub id: Option<String>,
    /// The part of the policy that is wrong.
    pub location: Location,
    /// What is wrong with it.
    pub kind: ProblemKind,
}

impl fmt::Display for PolicyProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.location)?;
        if let Some(id) = &self.id {
            write!(f, " (`{}`)", assent_json::shorten(id, 80))?;
        }
        write!(f, ": {}", self.kind)
    }
}

impl std::error::Error for PolicyProblem {}

/// Problems of one rule or grant, with their paths in it.
pub(crate) type Faults = Vec<(Pointer, ProblemKind)>;

/// Returns the value, or records the problem.
pub(crate) fn keep<T, E: Into<ProblemKind>>(
    result: Result<T, E>,
    at: impl FnOnce() -> Pointer,
    faults: &mut Faults,
) -> Option<T> {
    result.map_err(|error| faults.push((at(), error.into()))).ok()
}

/// The kinds of problems of a policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The policy has too many rules.
    #[error("a policy has at most {0} rules")]
    TooManyRules(usize),
    /// A rule or grant has too many conditions or examples.
    #[error("at most {0} are allowed here")]
    TooMany(usize),
    /// The id is not valid.
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
    /// A pattern is not valid.
    #[error(transparent)]
    Glob(#[from] GlobError),
    /// A path is not a JSON Pointer.
    #[error(
        "a path is a JSON Pointer: empty, or a `/` before each step, `~` only in `~0` and `~1`"
    )]
    Pointer,
    /// A condition has no test.
    #[error("a condition needs a test, such as `equals`, `under` or `host`")]
    NoTest,
    /// A value cannot be read strictly.
    #[error("the value cannot be compared: {0}")]
    Value(String),
    /// A number cannot be compared exactly.
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
    /// A host pattern is not valid.
    #[error("`{0}` is no pattern for hosts: write names such as `*.example.com`, or an address")]
    Host(String),
    /// A host pattern of an allow rule matches hosts that anyone could register.
    #[error(
        "`{0}` would allow hosts of strangers: end it in whole labels, such as `*.example.com`"
    )]
    LooseHost(String),
    /// A URL pattern is not valid.
    #[error(
        "`{0}` is no pattern for URLs: write `scheme://host/path`, with `*` where it does not matter"
    )]
    Url(String),
    /// A command pattern is not valid.
    #[error("`{0}` is no command: write plain words, such as `git status`")]
    Command(String),
    /// A digest is not valid.
    #[error("a digest is written as 64 lower-case hexadecimal digits")]
    Digest,
    /// A denial was narrowed, which would allow more.
    #[error("a denial cannot be narrowed")]
    NarrowedDeny,
    /// A rule does not match an example under `match`.
    #[error("the rule does not match the example, but should")]
    MatchExample,
    /// A rule matches an example under `not_match`.
    #[error("the rule matches the example, but should not")]
    NotMatchExample,
}
