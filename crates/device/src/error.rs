//! Errors of the device.

use std::io;

use assent_ids::{ConversationId, EntropyError, ParseIdError};
use assent_json::ReadError;
use assent_mailbox::MailboxError;
use assent_relay_client::ClientError;
use assent_store::{OpenError, StoreError};

/// Why a device cannot do something.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The relay refused, or cannot be reached.
    #[error(transparent)]
    Relay(#[from] ClientError),
    /// The data directory cannot be used.
    #[error("the data directory cannot be used: {0}")]
    Directory(#[from] io::Error),
    /// The database cannot be opened.
    #[error("the database of the device cannot be opened: {0}")]
    Open(#[from] OpenError),
    /// The journal cannot be opened.
    #[error("the journal of the device cannot be opened: {0}")]
    Journal(#[from] assent_journal::OpenError),
    /// The runtime cannot be built.
    #[error(transparent)]
    Runtime(#[from] assent_runtime::BuildError),
    /// The state cannot be read or written.
    #[error(transparent)]
    State(#[from] MailboxError),
    /// There are no random bits to make keys from.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// A text that the person typed cannot be used.
    #[error("{0}")]
    Input(String),
    /// The device has no account.
    #[error("this device has no account: register or log in first")]
    NoAccount,
    /// The device has an account already.
    #[error("this device has an account already: log out first")]
    HasAccount,
    /// No relay is chosen.
    #[error("choose a relay first: give its address")]
    NoRelay,
    /// The account of the device is one of another relay.
    #[error(
        "this device has an account of the relay `{0}`: use another data directory for another relay"
    )]
    OtherRelay(String),
    /// The device belongs to another account.
    #[error("this device belongs to another account: use another data directory for this one")]
    OtherAccount,
    /// The account is used on another device.
    #[error("the account is used on another device; an account has one device")]
    DeviceExists,
    /// The agent has not published a manifest or keys, or they are not usable.
    #[error("the agent cannot be added: {0}")]
    UnusableAgent(String),
    /// The manifest is another one than the person saw.
    #[error("the agent has published another manifest meanwhile: look at it again")]
    ManifestChanged,
    /// What would be agreed to is not what the person saw.
    #[error("something has changed since you looked: look at it again")]
    ViewChanged,
    /// The keys are not those that the link says.
    #[error(
        "the keys of this agent are not those that the link says: ask its owner for a new link"
    )]
    KeyMismatch,
    /// The link leads to another relay.
    #[error("the link leads to another relay, `{0}`, and this device has an account of one only")]
    RelayMismatch(String),
    /// The number is not that of the keys that the agent has now.
    #[error("this is not the number of the keys that the agent has now: compare all 60 digits")]
    WrongNumber,
    /// The agent is paused because its keys have changed.
    #[error("the keys of this agent have changed: compare its number first")]
    KeysChanged,
    /// The agent has changed what it declares.
    #[error("the agent has changed what it declares: answer the review first")]
    ReviewPending,
    /// There is nothing to review.
    #[error("there is nothing to review")]
    UnknownReview,
    /// An earlier change was signed, and the relay does not have it yet.
    #[error("an earlier change is on its way to the relay: try again when the device is connected")]
    ChangePending,
    /// The agent is not one that the person has added.
    #[error("this is not an agent that you have added")]
    UnknownRelation,
    /// The relation has ended.
    #[error("the relation with this agent has ended: add the agent again")]
    RelationEnded,
    /// The scope is not one of the agent.
    #[error("the agent does not declare the scope `{0}`")]
    UnknownScope(String),
    /// The conversation is not one with an agent of this person.
    #[error("`{0}` is not a conversation with one of your agents")]
    UnknownConversation(ConversationId),
    /// The agent is added already.
    #[error("the agent is added already")]
    AgentAdded,
}

impl From<StoreError> for DeviceError {
    fn from(error: StoreError) -> Self {
        Self::State(error.into())
    }
}

impl From<ParseIdError> for DeviceError {
    fn from(error: ParseIdError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<ReadError> for DeviceError {
    fn from(error: ReadError) -> Self {
        Self::Input(error.to_string())
    }
}
