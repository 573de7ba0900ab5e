//! Exit codes.

use std::process::ExitCode;

/// The exit code of a command, with the same meaning for all commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The command succeeded.
    AsAsked,
    /// The document is wrong, the change is breaking, or the request was refused.
    Bad,
    /// The arguments are wrong, or the input cannot be read.
    WrongUse,
    /// The person, or a rule of the person, denied a call.
    Denied,
    /// A call had no answer in time.
    TimedOut,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::AsAsked => 0,
            Exit::Bad => 1,
            Exit::WrongUse => 2,
            Exit::Denied => 3,
            Exit::TimedOut => 4,
        })
    }
}
