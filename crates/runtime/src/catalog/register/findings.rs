//! Problems of a definition and recommendations for it.

use std::fmt;

/// One reason why a definition is refused.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegistrationProblem {
    /// The location as a JSON Pointer: the record, then the field.
    pub field: String,
    /// The problem and what to do about it.
    pub message: String,
}

/// A recommendation for a definition that is accepted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lint {
    /// The location as a JSON Pointer: the record, then the field.
    pub field: String,
    /// The recommendation.
    pub message: String,
}

/// A definition that is refused, with all the reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistrationError {
    /// The id as the definition writes it.
    pub tool: String,
    /// All problems; never empty.
    pub problems: Vec<RegistrationProblem>,
}

impl RegistrationError {
    /// For a definition whose problem was not named.
    pub(super) fn nameless(tool: &str) -> Self {
        let message = "it has no usable id and names".to_owned();
        let field = "/declaration".to_owned();
        Self { tool: tool.to_owned(), problems: vec![RegistrationProblem { field, message }] }
    }
}

impl fmt::Display for RegistrationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the tool `{}` cannot be registered", assent_json::shorten(&self.tool, 80))?;
        for problem in &self.problems {
            write!(f, "; {}: {}", problem.field, problem.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for RegistrationError {}

/// Problems and lints, as they are found.
#[derive(Debug, Default)]
pub(in crate::catalog) struct Findings {
    problems: Vec<RegistrationProblem>,
    lints: Vec<Lint>,
}

impl Findings {
    pub(in crate::catalog) fn problem(
        &mut self,
        field: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.problems.push(RegistrationProblem { field: field.into(), message: message.into() });
    }

    pub(in crate::catalog) fn lint(
        &mut self,
        field: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.lints.push(Lint { field: field.into(), message: message.into() });
    }

    /// The lints if there are no problems, both in the order of the fields.
    pub(super) fn verdict(mut self, tool: &str) -> Result<Vec<Lint>, RegistrationError> {
        if self.problems.is_empty() {
            self.lints.sort();
            return Ok(self.lints);
        }
        self.problems.sort();
        self.problems.dedup();
        Err(RegistrationError { tool: tool.to_owned(), problems: self.problems })
    }
}
