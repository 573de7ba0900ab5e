//! How a command ends.

use std::process::ExitCode;

/// The exit code of a command; the same meaning everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All is as asked.
    AsAsked,
    /// The document is bad, the change is breaking, or what was asked for was refused.
    Bad,
    /// The command was used wrongly, or its input cannot be read.
    WrongUse,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::AsAsked => 0,
            Exit::Bad => 1,
            Exit::WrongUse => 2,
        })
    }
}
