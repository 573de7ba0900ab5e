//! The half of a socket that is written. Only the task that owns the connection has it.

use std::{io, time::Duration};

use assent_relay_api::socket::{CloseCode, ServerFrame};
use assent_websocket::{self as websocket, Frame};
use tokio::{io::AsyncWriteExt as _, net::tcp::OwnedWriteHalf, time::timeout};

use super::{End, reader::SocketReader};

/// How long sending may take. A client that reads more slowly is disconnected without a close frame, which it
/// would not read either; it reconnects and resumes.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);

/// How long closing may take, including the answer of the client.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Sends frames to a client.
pub(super) struct SocketWriter(OwnedWriteHalf);

impl SocketWriter {
    pub(super) const fn new(stream: OwnedWriteHalf) -> Self {
        Self(stream)
    }

    /// Sends a frame and waits until the kernel has taken it.
    pub(super) async fn send(&mut self, frame: &ServerFrame) -> Result<(), End> {
        let text = serde_json::to_string(frame).map_err(|_| End::Gone)?;
        self.send_all(&[Frame::text(&text)]).await
    }

    /// Sends encoded frames, in their order.
    pub(super) async fn send_all(&mut self, frames: &[Frame]) -> Result<(), End> {
        let sent = timeout(SEND_TIMEOUT, websocket::send_all(&mut self.0, frames)).await;
        if matches!(sent, Ok(Ok(()))) { Ok(()) } else { Err(End::Gone) }
    }

    /// Asks the client for a sign of life.
    pub(super) async fn ping(&mut self) -> Result<(), End> {
        self.send_all(&[Frame::ping()]).await
    }

    /// Closes the connection with one of our codes.
    pub(super) async fn close(&mut self, reader: &mut SocketReader, code: CloseCode) {
        let reason = code.reason();
        self.close_with(reader, websocket::CloseCode::new(code.code()), reason).await;
    }

    /// Closes the connection with any code, and waits briefly for the client to do the same.
    pub(super) async fn close_with(
        &mut self,
        reader: &mut SocketReader,
        code: Option<websocket::CloseCode>,
        reason: &str,
    ) {
        let close = async {
            websocket::send_all(&mut self.0, &[Frame::close(code, reason)]).await?;
            self.0.shutdown().await?;
            reader.drain().await
        };
        // A client that does not answer in time is disconnected.
        let _: Result<io::Result<()>, _> = timeout(CLOSE_TIMEOUT, close).await;
    }
}
