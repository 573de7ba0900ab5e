//! Why a message has no answer.

use crate::{ClientError, Refusal};

/// Why a message was not sent, or may not have been.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SendError {
    /// The relay refused the message.
    #[error(transparent)]
    Refused(Box<Refusal>),
    /// There was no answer in time. The message may be stored: send it again under the same id.
    #[error("the relay did not answer in time; the message may be stored")]
    Timeout,
    /// The stream waits for another token. The message may be stored: send it again under the same id.
    #[error("the stream is not connected and waits for another token; the message may be stored")]
    Disconnected,
    /// The stream was dropped. The message may be stored.
    #[error("the event stream was dropped; the message may be stored")]
    Closed,
    /// The message had to be sent by HTTP, and that failed. The message may be stored: send it again under the same id.
    #[error(transparent)]
    Client(ClientError),
}

impl From<ClientError> for SendError {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Refused(refusal) => Self::Refused(refusal),
            error => Self::Client(error),
        }
    }
}
