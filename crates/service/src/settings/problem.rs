//! Problems of settings. Values are not repeated, because some are secret.

use std::fmt;

/// A problem and its location.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The location.
    pub location: Location,
    /// The problem, and what to do.
    pub text: String,
}

/// The location of a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Location {
    /// A line of the file.
    Line(String, usize),
    /// The file as a whole.
    File(String),
    /// An environment variable.
    Variable(String),
    /// A flag.
    Flag(String),
    /// A combination of settings.
    Settings,
}

/// All problems.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", lines(.0))]
pub struct Problems(pub Vec<Problem>);

fn lines(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Location::Line(file, line) => write!(f, "{file}:{line}: {}", self.text),
            Location::File(name) | Location::Variable(name) | Location::Flag(name) => {
                write!(f, "{name}: {}", self.text)
            }
            Location::Settings => f.write_str(&self.text),
        }
    }
}
