//! The socket itself: frames in, frames out, never waiting for ever.

use std::time::Duration;

use assent_relay_api::socket::{CloseCode, MAX_FRAME_BYTES, ServerFrame};
use bytes::Bytes;
use futures_util::{SinkExt as _, StreamExt as _};
use hyper_util::{rt::TokioIo, server::conn::auto::upgrade};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Error, Message,
        protocol::{CloseFrame, Role, WebSocketConfig, frame::coding},
    },
};

use super::End;

/// How long a frame may take to leave. A reader that is slower connects again and goes on where it was.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long the other side may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(2);

/// What is read at once. Clients send short frames, and most of the time none: with the library's
/// default a thousand idle connections would take 128 MiB.
const READ_BUFFER: usize = 1024;

/// A socket.
pub(super) struct Wire(WebSocketStream<TcpStream>);

impl Wire {
    /// Takes over a connection that was upgraded, with what was read of it already.
    pub(super) async fn new(upgraded: hyper::upgrade::Upgraded) -> Option<Self> {
        let parts = upgrade::downcast::<TokioIo<TcpStream>>(upgraded).ok()?;
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(READ_BUFFER)
            .max_message_size(Some(MAX_FRAME_BYTES))
            .max_frame_size(Some(MAX_FRAME_BYTES));
        let stream = parts.io.into_inner();
        let read = parts.read_buf.to_vec();
        let socket =
            WebSocketStream::from_partially_read(stream, read, Role::Server, Some(config)).await;
        Some(Self(socket))
    }

    /// The next frame; `None` when the other side is gone or breaks the protocol.
    pub(super) async fn next(&mut self) -> Option<Message> {
        match self.0.next().await? {
            Ok(message) => Some(message),
            Err(error) => {
                self.answer_to(&error).await;
                None
            }
        }
    }

    /// Whoever breaks the protocol is told how, as the protocol wants it.
    async fn answer_to(&mut self, error: &Error) {
        let code = match error {
            Error::Capacity(_) => coding::CloseCode::Size,
            Error::Utf8(_) => coding::CloseCode::Invalid,
            Error::Protocol(_) => coding::CloseCode::Protocol,
            _ => return,
        };
        let frame = CloseFrame { code, reason: "".into() };
        let _ = timeout(GOODBYE, self.0.close(Some(frame))).await;
    }

    /// Sends a frame and waits until it is on its way.
    pub(super) async fn send(&mut self, frame: &ServerFrame) -> Result<(), End> {
        let text = serde_json::to_string(frame).map_err(|_| End::Gone)?;
        self.put(text).await?;
        self.flush().await
    }

    /// Puts a frame behind those that leave with the next [`Self::flush`].
    pub(super) async fn put(&mut self, text: String) -> Result<(), End> {
        in_time(self.0.feed(Message::text(text))).await
    }

    /// Waits until everything is on its way.
    pub(super) async fn flush(&mut self) -> Result<(), End> {
        in_time(self.0.flush()).await
    }

    pub(super) async fn ping(&mut self) -> Result<(), End> {
        in_time(self.0.send(Message::Ping(Bytes::new()))).await
    }

    /// Says goodbye, and waits a moment for the answer.
    pub(super) async fn close(&mut self, code: CloseCode) {
        let frame =
            CloseFrame { code: coding::CloseCode::from(code.code()), reason: code.reason().into() };
        let goodbye = async {
            if self.0.close(Some(frame)).await.is_ok() {
                while let Some(Ok(_)) = self.0.next().await {}
            }
        };
        let _ = timeout(GOODBYE, goodbye).await;
    }
}

async fn in_time(sending: impl Future<Output = Result<(), Error>>) -> Result<(), End> {
    match timeout(PATIENCE, sending).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(End::Gone),
        Err(_) => Err(End::Close(CloseCode::TooSlow)),
    }
}
