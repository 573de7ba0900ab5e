//! Who calls.

use std::fmt;

use assent_ids::{AgentId, Principal, TokenFamilyId, TokenId, UserId};

use super::Refusal;

/// The caller of an operation, after its credential was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Caller {
    /// A caller without a credential.
    Anonymous,
    /// A person.
    User { user_id: UserId, family_id: TokenFamilyId },
    /// An agent.
    Agent { agent_id: AgentId, token_id: TokenId, may_write_manifest: bool },
    /// A caller on the admin socket.
    Operator,
}

impl Caller {
    /// The person who calls.
    pub(crate) fn user(&self) -> Result<UserId, Refusal> {
        self.login().map(|(user_id, _)| user_id)
    }

    /// The person who calls, and with which login.
    pub(crate) fn login(&self) -> Result<(UserId, TokenFamilyId), Refusal> {
        match self {
            Self::User { user_id, family_id } => Ok((*user_id, *family_id)),
            Self::Anonymous => Err(Refusal::unauthenticated("an access token is needed")),
            Self::Agent { .. } | Self::Operator => {
                Err(Refusal::forbidden("this is for people, not for agents"))
            }
        }
    }

    /// The agent that calls.
    pub(crate) fn agent(&self) -> Result<AgentId, Refusal> {
        match self {
            Self::Agent { agent_id, .. } => Ok(*agent_id),
            Self::Anonymous => Err(Refusal::unauthenticated("the token of an agent is needed")),
            Self::User { .. } | Self::Operator => {
                Err(Refusal::forbidden("this is for agents, not for people"))
            }
        }
    }

    /// The person or agent that calls.
    pub(crate) fn party(&self) -> Result<Principal, Refusal> {
        match self {
            Self::User { user_id, .. } => Ok(Principal::User(*user_id)),
            Self::Agent { agent_id, .. } => Ok(Principal::Agent(*agent_id)),
            Self::Anonymous => Err(Refusal::unauthenticated("a token is needed")),
            Self::Operator => Err(Refusal::forbidden("this is for people and agents")),
        }
    }
}

/// As logs name them: by an id, never by anything that they showed.
impl fmt::Display for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anonymous => f.write_str("anonymous"),
            Self::User { user_id, .. } => user_id.fmt(f),
            Self::Agent { agent_id, .. } => agent_id.fmt(f),
            Self::Operator => f.write_str("operator"),
        }
    }
}
