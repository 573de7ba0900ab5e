//! Why a command ends without a result.

use std::io;

use assent_agent::{AgentError, DirectoryError};
use assent_relay_client::ClientError;

use crate::{exit::Exit, output, remote};

/// Why a command ends without a result.
pub(super) enum Failure {
    /// The command line is wrong.
    WrongUse(String),
    /// A file cannot be read.
    Unreadable(String),
    /// The command failed, for the reason with this code.
    Failed(&'static str, String),
    /// The relay refused, or cannot be reached.
    Relay(ClientError),
    /// The command has reported what is wrong.
    Reported(Exit),
}

impl Failure {
    /// The code and what to do, for the lines of scripts.
    pub(super) fn code_and_message(&self) -> (String, String) {
        match self {
            Self::WrongUse(message) => ("WRONG_USE".to_owned(), message.clone()),
            Self::Unreadable(message) => ("INPUT_UNREADABLE".to_owned(), message.clone()),
            Self::Failed(code, message) => ((*code).to_owned(), message.clone()),
            Self::Relay(error) => (remote::code(error).to_owned(), error.to_string()),
            Self::Reported(_) => {
                let message = "the manifest is not valid; standard error says why";
                ("INVALID_MANIFEST".to_owned(), message.to_owned())
            }
        }
    }

    pub(super) fn report(&self, as_json: bool) -> Exit {
        match self {
            Self::WrongUse(message) => output::misused(message, as_json),
            Self::Unreadable(message) => {
                output::failed(Exit::WrongUse, "INPUT_UNREADABLE", message, as_json)
            }
            Self::Failed(code, message) => output::failed(Exit::Bad, code, message, as_json),
            Self::Relay(error @ ClientError::Refused(_)) => remote::failed(error, as_json),
            Self::Relay(ClientError::BaseUrl(error)) => {
                output::misused(&error.to_string(), as_json)
            }
            Self::Relay(error) => {
                output::failed(Exit::Bad, remote::code(error), &error.to_string(), as_json)
            }
            Self::Reported(exit) => *exit,
        }
    }
}

impl From<AgentError> for Failure {
    fn from(error: AgentError) -> Self {
        let code = match &error {
            AgentError::InUse => "AGENT_IN_USE",
            AgentError::UnknownConversation(_) => "UNKNOWN_CONVERSATION",
            AgentError::UnknownPerson(_) => "UNKNOWN_PERSON",
            AgentError::RelationInactive => "RELATION_INACTIVE",
            AgentError::KeysChanged => "KEYS_CHANGED",
            AgentError::NoDevice => "NO_DEVICE",
            AgentError::Content(_) => "CANNOT_BE_SENT",
            AgentError::CallIdReused(_) => "CALL_ID_REUSED",
            AgentError::RateLimited => "RATE_LIMITED",
            AgentError::Refused(_) => "REFUSED",
            AgentError::NoManifestToken => "NO_MANIFEST_TOKEN",
            _ => "AGENT_FAILED",
        };
        match error {
            AgentError::Relay(error) => Self::Relay(error),
            error => Self::Failed(code, error.to_string()),
        }
    }
}

impl From<DirectoryError> for Failure {
    fn from(error: DirectoryError) -> Self {
        let message = error.to_string();
        match error {
            DirectoryError::NoAgent(_) => {
                Self::WrongUse(format!("{message}, or name another directory with `--dir`"))
            }
            DirectoryError::Write(..) => Self::Failed("DIRECTORY_UNUSABLE", message),
            _ => Self::Unreadable(message),
        }
    }
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        Self::Relay(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Failed("AGENT_FAILED", error.to_string())
    }
}
