//! The half of a socket that is read.

use assent_relay_api::socket::{MAX_FIRST_FRAME_BYTES, MAX_FRAME_BYTES};
use assent_websocket::{self as websocket, Error, Message, Socket};
use tokio::net::tcp::OwnedReadHalf;

/// Reads the messages of a client.
pub(super) struct SocketReader(Socket<OwnedReadHalf>);

/// Why no more messages can be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// The connection is gone.
    Gone,
    /// The client violated the protocol.
    Unreadable(websocket::CloseCode),
}

impl SocketReader {
    /// Reads from `stream`, of which `early` was already read together with the handshake.
    pub(super) fn new(stream: OwnedReadHalf, early: &[u8]) -> Self {
        Self(Socket::new(stream, early, MAX_FIRST_FRAME_BYTES))
    }

    /// Accepts frames that are large enough for messages: the client is authenticated.
    pub(super) const fn allow_messages(&mut self) {
        self.0.allow(MAX_FRAME_BYTES);
    }

    /// The next message. Dropping the future loses nothing.
    pub(super) async fn next(&mut self) -> Result<Message, Lost> {
        match self.0.next().await {
            Ok(Some(message)) => Ok(message),
            Ok(None) | Err(Error::Broken(_)) => Err(Lost::Gone),
            Err(Error::Violation(violation)) => Err(Lost::Unreadable(violation.code())),
        }
    }

    /// Discards what the client still sends, until it closes the connection.
    pub(super) async fn drain(&mut self) -> std::io::Result<()> {
        self.0.drain().await
    }
}
