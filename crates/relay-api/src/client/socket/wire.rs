//! The connection itself: what is said leaves while the answer is waited for.

use std::{
    collections::VecDeque,
    future::poll_fn,
    pin::Pin,
    task::{Context, Poll, ready},
};

use assent_outbound::Stream;
use futures_util::{Sink as _, SinkExt as _, Stream as _};
use tokio::time::timeout;
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{Message, Utf8Bytes},
};

use super::SocketError;
use crate::socket::{ClientFrame, DEAD_AFTER, MAX_FRAME_BYTES, ServerFrame};

/// The text of a frame, unless it is too long.
pub(super) fn written(frame: &ClientFrame) -> Result<String, SocketError> {
    let text = serde_json::to_string(frame);
    let text = text.map_err(|error| SocketError::NotUnderstood(error.to_string()))?;
    if text.len() > MAX_FRAME_BYTES { Err(SocketError::TooLong) } else { Ok(text) }
}

pub(super) struct Wire {
    stream: WebSocketStream<Stream>,
    outgoing: VecDeque<Message>,
}

impl Wire {
    pub(super) const fn new(stream: WebSocketStream<Stream>) -> Self {
        Self { stream, outgoing: VecDeque::new() }
    }

    /// Says something, as soon as [`Self::next`] is waited for.
    pub(super) fn say(&mut self, frame: &ClientFrame) -> Result<(), SocketError> {
        self.outgoing.push_back(Message::text(written(frame)?));
        Ok(())
    }

    pub(super) async fn next(&mut self) -> Result<ServerFrame, SocketError> {
        // The relay asks every 30 seconds whether anybody is there, so that silence means that it is not.
        let text = timeout(DEAD_AFTER, poll_fn(|context| self.poll_text(context))).await;
        let text = text.map_err(|_| SocketError::Silent)??;
        match ServerFrame::read(text.as_bytes()) {
            Ok(ServerFrame::AuthError(error)) => Err(SocketError::Rejected(Box::new(error))),
            Ok(frame) => Ok(frame),
            Err(error) => Err(SocketError::NotUnderstood(error.message)),
        }
    }

    pub(super) async fn close(mut self) -> Result<(), SocketError> {
        while let Some(message) = self.outgoing.pop_front() {
            self.stream.feed(message).await.map_err(SocketError::broken)?;
        }
        self.stream.close(None).await.map_err(SocketError::broken)
    }

    fn poll_text(&mut self, context: &mut Context<'_>) -> Poll<Result<Utf8Bytes, SocketError>> {
        loop {
            self.push(context)?;
            match ready!(Pin::new(&mut self.stream).poll_next(context)) {
                Some(Ok(Message::Text(text))) => return Poll::Ready(Ok(text)),
                Some(Ok(Message::Close(frame))) => {
                    return Poll::Ready(Err(SocketError::closed(frame)));
                }
                // The library answers pings; its answer leaves with the next push.
                Some(Ok(_)) => {}
                Some(Err(error)) => return Poll::Ready(Err(SocketError::broken(error))),
                None => return Poll::Ready(Err(SocketError::closed(None))),
            }
        }
    }

    /// Sends what there is to send, as far as there is room.
    fn push(&mut self, context: &mut Context<'_>) -> Result<(), SocketError> {
        let mut stream = Pin::new(&mut self.stream);
        while !self.outgoing.is_empty() {
            match stream.as_mut().poll_ready(context) {
                Poll::Ready(ready) => ready.map_err(SocketError::broken)?,
                Poll::Pending => return Ok(()),
            }
            if let Some(message) = self.outgoing.pop_front() {
                stream.as_mut().start_send(message).map_err(SocketError::broken)?;
            }
        }
        match stream.poll_flush(context) {
            Poll::Ready(flushed) => flushed.map_err(SocketError::broken),
            Poll::Pending => Ok(()),
        }
    }
}
