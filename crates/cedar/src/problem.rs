//! What can be wrong with Cedar policies.

use std::fmt;

use assent_ids::ParseIdError;
use assent_json::Position;

/// A problem of a Cedar text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CedarProblem {
    /// The id of the policy, as it was written.
    pub id: Option<String>,
    /// The position in the text; its beginning, if nothing better is known.
    pub position: Position,
    /// The problem.
    pub kind: CedarProblemKind,
}

impl fmt::Display for CedarProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "policies, {}", self.position)?;
        if let Some(id) = &self.id {
            write!(f, " (`{}`)", assent_json::shorten(id, 80))?;
        }
        write!(f, ": {}", self.kind)
    }
}

impl std::error::Error for CedarProblem {}

/// The kinds of problems of a Cedar text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CedarProblemKind {
    /// The text is too long.
    #[error("Cedar policies have at most {0} bytes")]
    TooLong(usize),
    /// The text nests too deeply.
    #[error("Cedar policies nest at most {0} brackets")]
    TooDeep(usize),
    /// A policy has too many operators.
    #[error("a Cedar policy has at most {0} operators: split it, or compare with a set")]
    TooManyOperators(usize),
    /// The text cannot be parsed.
    #[error("{0}")]
    Syntax(String),
    /// A policy does not fit the schemas of the tools.
    #[error("{0}")]
    Meaning(String),
    /// The id is not valid.
    #[error(transparent)]
    Id(#[from] ParseIdError),
    /// Another rule or policy has the same id.
    #[error("the id is taken by another rule or policy")]
    DuplicateId,
    /// Only a policy that asks can be immune.
    #[error(
        "`bypass_immune` belongs to an `ask`: a `deny` is final anyway, an `allow` bypasses nothing"
    )]
    ImmuneWithoutAsk,
    /// A template was given.
    #[error("templates are not supported: write a policy without `?principal` and `?resource`")]
    Template,
    /// The annotation `@effect` has another value than `ask`.
    #[error("`@effect` can only be \"ask\": `permit` and `forbid` say the rest")]
    Effect,
    /// The annotation `@source` is not a source of rules.
    #[error("`@source` is one of the sources of rules, such as \"policy_settings\"")]
    Source,
    /// The schema of the tools cannot be made.
    #[error("the tools give no schema for policies: {0}")]
    Schema(String),
}
