//! What the protocol forbids.

use thiserror::Error;

use crate::CloseCode;

/// How the other side broke the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Violation {
    /// A bit of an extension, although none was negotiated.
    #[error("a reserved bit is set")]
    ReservedBit,
    /// A kind of frame that does not exist.
    #[error("there is no opcode {0}")]
    UnknownOpcode(u8),
    /// Clients mask what they send.
    #[error("a frame is not masked")]
    Unmasked,
    /// A length in more bytes than it needs, or with the sign bit.
    #[error("the length of a frame is not written as it has to be")]
    BadLength,
    /// Pings, pongs and closes are short and whole.
    #[error("a control frame is longer than 125 bytes or in fragments")]
    BadControl,
    /// A fragment of nothing.
    #[error("a frame continues a message that was not begun")]
    NothingToContinue,
    /// Another message before the first has ended.
    #[error("a message begins inside of another one")]
    UnfinishedMessage,
    /// A message that is longer than was agreed.
    #[error("a message has more than {limit} bytes")]
    TooLarge {
        /// The longest message.
        limit: usize,
    },
    /// A text, or the reason of a close, that is no UTF-8.
    #[error("a text is not UTF-8")]
    NotUtf8,
    /// A close without a code that may be sent.
    #[error("a close frame has no valid code")]
    BadClose,
}

impl Violation {
    /// The close code for the other side.
    #[must_use]
    pub const fn code(self) -> CloseCode {
        match self {
            Self::TooLarge { .. } => CloseCode::TOO_LARGE,
            Self::NotUtf8 => CloseCode::INVALID,
            _ => CloseCode::PROTOCOL,
        }
    }
}
