//! Who takes part: a person or an agent.

use std::{fmt, str::FromStr};

use assent_ids::{AgentId, ParseIdError, UserId};
use assent_protocol::a2h::{SenderId, SenderType};
use assent_relay_api::model::MemberId;
use assent_store::{StoreError, Value};

/// A person or an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Party {
    User(UserId),
    Agent(AgentId),
}

impl Party {
    /// The same, as messages name their senders.
    pub(crate) const fn sender(self) -> (SenderType, SenderId) {
        match self {
            Self::User(id) => (SenderType::Human, SenderId::User(id)),
            Self::Agent(id) => (SenderType::Agent, SenderId::Agent(id)),
        }
    }

    /// Reads the column of a table.
    pub(crate) fn stored(text: &str) -> Result<Self, StoreError> {
        stored(text)
    }
}

/// Reads an id from the column of a table.
pub(crate) fn stored<T: FromStr>(text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| StoreError::Refused("a column holds a malformed id".to_owned()))
}

impl From<SenderId> for Party {
    fn from(sender: SenderId) -> Self {
        match sender {
            SenderId::User(id) => Self::User(id),
            SenderId::Agent(id) => Self::Agent(id),
        }
    }
}

impl From<Party> for MemberId {
    fn from(party: Party) -> Self {
        match party {
            Party::User(id) => Self::User(id),
            Party::Agent(id) => Self::Agent(id),
        }
    }
}

impl From<MemberId> for Party {
    fn from(member: MemberId) -> Self {
        match member {
            MemberId::User(id) => Self::User(id),
            MemberId::Agent(id) => Self::Agent(id),
        }
    }
}

impl FromStr for Party {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.starts_with("agt_") {
            text.parse().map(Self::Agent)
        } else {
            text.parse().map(Self::User)
        }
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(id) => id.fmt(f),
            Self::Agent(id) => id.fmt(f),
        }
    }
}

impl From<Party> for Value<'_> {
    fn from(party: Party) -> Self {
        party.to_string().into()
    }
}
