//! What arrives.

use crate::CloseCode;

/// A whole message, or a control frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A text.
    Text(String),
    /// Bytes.
    Binary(Vec<u8>),
    /// A ping: to be answered by a [`crate::Frame::pong`] with the same bytes.
    Ping(Vec<u8>),
    /// The answer to a ping.
    Pong(Vec<u8>),
    /// Nothing follows. To be answered by a [`crate::Frame::close`] with the same code.
    Close(Option<CloseCode>),
}
