//! Errors of the SDK.

use std::io;

use assent_ids::{CallId, ConversationId, EntropyError, UserId};
use assent_mailbox::{KEYS_CHANGED, MailboxError};
use assent_protocol::{a2h::ApiCode, wire::Word as _};
use assent_relay_client::ClientError;
use assent_store::{OpenError, StoreError};

/// Why an agent cannot do something.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The relay refused, or cannot be reached.
    #[error(transparent)]
    Relay(#[from] ClientError),
    /// The directory with the state cannot be used.
    #[error("the directory of the agent cannot be used: {0}")]
    Directory(#[from] io::Error),
    /// Another process uses the directory.
    #[error("another process uses the directory of the agent; stop it, or use another directory")]
    InUse,
    /// The database cannot be opened.
    #[error("the database of the agent cannot be opened: {0}")]
    Open(#[from] OpenError),
    /// The state cannot be read or written.
    #[error(transparent)]
    State(#[from] MailboxError),
    /// There are no random bits to make keys from.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// The agent takes part in no such conversation with a person.
    #[error("`{0}` is not the conversation of a relation of this agent; `relations` lists them")]
    UnknownConversation(ConversationId),
    /// The agent has no relation with this person.
    #[error("the agent has no relation with `{0}`; `relations` lists them")]
    UnknownPerson(UserId),
    /// The person has ended the relation, or it is suspended.
    #[error("the relation of this conversation is not active")]
    RelationInactive,
    /// The device of the person has other keys than before.
    #[error("the keys of the person's device have changed; nothing is sent to it")]
    KeysChanged,
    /// The person has no device that could be verified.
    #[error(
        "the person's device is not in the ledger of the relation, or its keys are not those that signed it"
    )]
    NoDevice,
    /// The content is too large, or not one that can be sent.
    #[error("the message cannot be sent: {0}")]
    Content(String),
    /// The call id belongs to a call of another tool, or with other arguments.
    #[error("the call id `{0}` was used for another call; leave it out, or repeat the same call")]
    CallIdReused(CallId),
    /// The relay asks to wait.
    #[error("the relay accepts no more messages of this agent at present")]
    RateLimited,
    /// The relay refused a message, for the reason with this code.
    #[error("the relay refused the message: {0}")]
    Refused(String),
    /// The agent has no token with the scope `manifest:write`.
    #[error(
        "the agent has no token with the scope `manifest:write`; set `AgentOptions::manifest_token`"
    )]
    NoManifestToken,
    /// The agent was closed.
    #[error("the agent was closed")]
    Closed,
}

impl AgentError {
    /// What the code of a refused message means.
    pub(crate) fn from_refusal(code: String) -> Self {
        if code == KEYS_CHANGED {
            return Self::KeysChanged;
        }
        match ApiCode::find(&code) {
            Some(ApiCode::RateLimited) => Self::RateLimited,
            Some(ApiCode::RelationInactive | ApiCode::NotFound) => Self::RelationInactive,
            _ => Self::Refused(code),
        }
    }
}

impl From<StoreError> for AgentError {
    fn from(error: StoreError) -> Self {
        Self::State(error.into())
    }
}
