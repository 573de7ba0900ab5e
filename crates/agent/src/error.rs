//! Errors of the SDK.

use std::io;

use assent_ids::{ConversationId, EntropyError};
use assent_mailbox::MailboxError;
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
}

impl From<StoreError> for AgentError {
    fn from(error: StoreError) -> Self {
        Self::State(error.into())
    }
}
