//! Errors of the mailbox.

use assent_sealing::{BundleError, PickleError, SealError, UnsealError};
use assent_store::StoreError;

/// An operation of the mailbox failed. Nothing of it was stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MailboxError {
    /// The database refused or is not available.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What is stored cannot be read.
    #[error("the stored `{0}` is damaged, or was encrypted under another key")]
    Damaged(&'static str),
    /// The device or agent has no id yet.
    #[error("this device or agent is not registered yet")]
    NotRegistered,
    /// The peer is unknown.
    #[error("the recipient is unknown")]
    UnknownPeer,
    /// A session could not be set up.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// The message could not be sealed.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// Another message with the same id waits in the outbox.
    #[error("another message was sent under the same client message id")]
    IdReused,
}

impl From<UnsealError> for MailboxError {
    fn from(_: UnsealError) -> Self {
        Self::Damaged("row")
    }
}

impl From<PickleError> for MailboxError {
    fn from(_: PickleError) -> Self {
        Self::Damaged("keys")
    }
}
