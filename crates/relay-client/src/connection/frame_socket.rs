//! A WebSocket that sends while it waits for the next frame.

use std::{
    collections::VecDeque,
    future::poll_fn,
    pin::Pin,
    task::{Context, Poll, ready},
};

use assent_relay_api::socket::{ClientFrame, DEAD_AFTER, MAX_FRAME_BYTES, ServerFrame};
use futures_util::{Sink as _, SinkExt as _, Stream as _};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::{Instant, timeout_at},
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{Message, Utf8Bytes},
};

use crate::StreamError;

/// The text of a frame, unless it is too long.
pub(crate) fn write_frame(frame: &ClientFrame) -> Result<Utf8Bytes, StreamError> {
    let text = serde_json::to_string(frame);
    let text = text.map_err(|error| StreamError::NotUnderstood(error.to_string()))?;
    if text.len() > MAX_FRAME_BYTES { Err(StreamError::TooLong) } else { Ok(text.into()) }
}

pub(super) struct FrameSocket<S> {
    stream: WebSocketStream<S>,
    outgoing: VecDeque<Message>,
    is_flushed: bool,
    received_at: Instant,
}

impl<S: AsyncRead + AsyncWrite + Unpin> FrameSocket<S> {
    pub(super) fn new(stream: WebSocketStream<S>) -> Self {
        let outgoing = VecDeque::new();
        Self { stream, outgoing, is_flushed: true, received_at: Instant::now() }
    }

    /// Sends a frame while [`Self::next`] or [`Self::flush`] is polled.
    pub(super) fn send(&mut self, frame: Utf8Bytes) {
        self.is_flushed = false;
        self.outgoing.push_back(Message::text(frame));
    }

    pub(super) const fn is_flushed(&self) -> bool {
        self.is_flushed
    }

    pub(super) async fn next(&mut self) -> Result<ServerFrame, StreamError> {
        // The relay sends a ping every 30 seconds, so that silence means that it is gone.
        let text = loop {
            let silent_at = self.received_at + DEAD_AFTER;
            match timeout_at(silent_at, poll_fn(|context| self.poll_text(context))).await {
                Ok(text) => break text?,
                Err(_) if self.received_at + DEAD_AFTER > silent_at => {}
                Err(_) => return Err(StreamError::Silent),
            }
        };
        match ServerFrame::read(text.as_bytes()) {
            Ok(ServerFrame::AuthError(error)) => Err(StreamError::Rejected(Box::new(error))),
            Ok(frame) => Ok(frame),
            Err(error) => Err(StreamError::NotUnderstood(error.message)),
        }
    }

    pub(super) async fn flush(&mut self) {
        poll_fn(|context| self.poll_send(context)).await.unwrap_or_else(|_| {
            // The error comes again when the connection is read.
            self.is_flushed = true;
        });
    }

    pub(super) async fn close(mut self) -> Result<(), StreamError> {
        while let Some(message) = self.outgoing.pop_front() {
            self.stream.feed(message).await.map_err(StreamError::broken)?;
        }
        self.stream.close(None).await.map_err(StreamError::broken)
    }

    fn poll_text(&mut self, context: &mut Context<'_>) -> Poll<Result<Utf8Bytes, StreamError>> {
        loop {
            // The library answers pings; its answers leave here.
            if let Poll::Ready(Err(error)) = self.poll_send(context) {
                return Poll::Ready(Err(error));
            }
            let received = ready!(Pin::new(&mut self.stream).poll_next(context));
            self.received_at = Instant::now();
            match received {
                Some(Ok(Message::Text(text))) => return Poll::Ready(Ok(text)),
                Some(Ok(Message::Close(frame))) => {
                    return Poll::Ready(Err(StreamError::closed(frame)));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Poll::Ready(Err(StreamError::broken(error))),
                None => return Poll::Ready(Err(StreamError::closed(None))),
            }
        }
    }

    /// Sends what waits, as far as there is room.
    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<Result<(), StreamError>> {
        let mut stream = Pin::new(&mut self.stream);
        while !self.outgoing.is_empty() {
            ready!(stream.as_mut().poll_ready(context)).map_err(StreamError::broken)?;
            if let Some(message) = self.outgoing.pop_front() {
                stream.as_mut().start_send(message).map_err(StreamError::broken)?;
            }
        }
        ready!(stream.poll_flush(context)).map_err(StreamError::broken)?;
        self.is_flushed = true;
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::{SinkExt as _, StreamExt as _};
    use tokio::time::{Instant, sleep};
    use tokio_tungstenite::{
        WebSocketStream,
        tungstenite::{Message, protocol::Role},
    };

    use super::FrameSocket;
    use crate::StreamError;

    #[tokio::test(start_paused = true)]
    async fn a_connection_with_nothing_but_pings_stays_open_and_a_silent_one_does_not() {
        let (near, far) = tokio::io::duplex(1024);
        let near = WebSocketStream::from_raw_socket(near, Role::Client, None).await;
        let mut far = WebSocketStream::from_raw_socket(far, Role::Server, None).await;
        let relay = tokio::spawn(async move {
            for _ in 0..10 {
                sleep(Duration::from_secs(30)).await;
                far.send(Message::Ping("p".into())).await.unwrap();
                assert_eq!(far.next().await.unwrap().unwrap(), Message::Pong("p".into()));
            }
            far
        });
        let begun = Instant::now();
        let error = FrameSocket::new(near).next().await.unwrap_err();
        assert!(matches!(error, StreamError::Silent), "{error}");
        assert_eq!(begun.elapsed().as_secs(), 300 + 90);
        drop(relay.await.unwrap());
    }
}
