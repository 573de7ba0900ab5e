//! What is wrong with what an operator said. Values are not repeated: some are secret.

use std::fmt;

/// A mistake and its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What, and what to do.
    pub text: String,
}

/// Where something was said.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// In the file, at a line.
    Line(String, usize),
    /// In the file as a whole.
    File(String),
    /// In a variable.
    Variable(String),
    /// In a flag.
    Flag(String),
    /// In several places together, or nowhere.
    Settings,
}

/// Every mistake.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", lines(.0))]
pub struct Problems(pub Vec<Problem>);

fn lines(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Line(file, line) => write!(f, "{file}:{line}: {}", self.text),
            Place::File(name) | Place::Variable(name) | Place::Flag(name) => {
                write!(f, "{name}: {}", self.text)
            }
            Place::Settings => f.write_str(&self.text),
        }
    }
}
