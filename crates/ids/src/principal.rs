//! The id of a person or an agent.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AgentId, GeneratedId as _, ParseIdError, UserId};

/// The id of a person or an agent, written as the id alone.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(untagged, expecting = "the id of a person or an agent")]
pub enum Principal {
    /// A person.
    User(UserId),
    /// An agent.
    Agent(AgentId),
}

impl FromStr for Principal {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        match text.split_once('_') {
            Some((AgentId::PREFIX, _)) => text.parse().map(Self::Agent),
            _ => text.parse().map(Self::User),
        }
    }
}

impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(id) => id.fmt(f),
            Self::Agent(id) => id.fmt(f),
        }
    }
}

impl From<UserId> for Principal {
    fn from(id: UserId) -> Self {
        Self::User(id)
    }
}

impl From<AgentId> for Principal {
    fn from(id: AgentId) -> Self {
        Self::Agent(id)
    }
}
