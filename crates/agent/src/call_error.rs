//! Why a call gave no result.

use assent_protocol::{
    a2h::{DeniedReason, ToolErrorCode, ToolErrorReason},
    wire::Open,
};

use crate::AgentError;

/// Why a call gave no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The person, or a rule of the person, refused the call.
    #[error("the call was denied: {reason}")]
    Denied {
        /// The reason.
        reason: Open<DeniedReason>,
        /// More about the reason, such as `reauth_required`.
        detail: Option<String>,
    },
    /// The call failed.
    #[error("the call failed: {code}, {reason}")]
    Failed {
        /// The kind of failure.
        code: Open<ToolErrorCode>,
        /// The reason.
        reason: Open<ToolErrorReason>,
    },
    /// There was no answer in time. The call was withdrawn.
    #[error("there was no answer in time")]
    TotalTimeout,
    /// The relay accepted no further messages in time. The call was withdrawn.
    #[error("the relay accepts no more messages of this agent at present")]
    RateLimited,
    /// The relation is suspended or has ended.
    #[error("the relation is not active")]
    RelationInactive,
    /// The device of the person has other keys than before.
    #[error("the keys of the person's device have changed")]
    KeysChanged,
    /// The agent was closed while the call was open. The call can be waited for after the next start.
    #[error("the agent was closed")]
    Closed,
    /// The tool gave a result of another type than [`Agent::tool`](crate::Agent::tool) names.
    #[error("the result of `{0}` does not have the expected type")]
    UnexpectedResult(String),
    /// The call could not be sent.
    #[error(transparent)]
    Agent(AgentError),
}

impl From<AgentError> for CallError {
    fn from(error: AgentError) -> Self {
        match error {
            AgentError::RelationInactive => Self::RelationInactive,
            AgentError::KeysChanged => Self::KeysChanged,
            AgentError::RateLimited => Self::RateLimited,
            AgentError::Closed => Self::Closed,
            error => Self::Agent(error),
        }
    }
}
