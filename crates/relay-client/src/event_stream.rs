//! A stream of events that outlives its connections.

mod backoff;
mod handle;
mod position;
mod send_error;
mod stream_event;
mod task;
mod unanswered;

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use futures_core::Stream;
use tokio::sync::{mpsc, watch};

use self::task::StreamTask;
use crate::{Client, ConnectOptions, StreamError};

pub use self::{handle::EventStreamHandle, send_error::SendError, stream_event::StreamEvent};

/// Events that may wait for the consumer.
const EVENT_BUFFER: usize = 64;

/// Messages that may wait to be written.
const MESSAGE_BUFFER: usize = 64;

/// What a stream yields.
type Item = Result<StreamEvent, StreamError>;

/// The events of a person or an agent, each once and in its order.
///
/// A task owns the connection. It reconnects after waits that grow, and resumes after the last event that it has
/// yielded. If the consumer is slow, the task stops reading, and the relay waits. Dropping the stream ends the task.
///
/// The stream yields an error when reconnecting would not help, such as when the token was revoked. It then waits for
/// [`EventStreamHandle::renew`].
#[derive(Debug)]
pub struct EventStream {
    events: mpsc::Receiver<Item>,
    handle: EventStreamHandle,
}

impl Client {
    /// Starts to receive events with the token of this client.
    ///
    /// # Panics
    /// Outside of a Tokio runtime.
    #[must_use]
    pub fn event_stream(&self, options: ConnectOptions) -> EventStream {
        let (event_sender, events) = mpsc::channel(EVENT_BUFFER);
        let (message_sender, messages) = mpsc::channel(MESSAGE_BUFFER);
        let (acknowledge, acknowledged) = watch::channel(None);
        let (renew, client) = watch::channel(self.clone());
        let task = StreamTask::new(options, client, acknowledged, messages, event_sender);
        tokio::spawn(task.run());
        let send_timeout = options.send_timeout;
        let handle = EventStreamHandle::new(message_sender, acknowledge, renew, send_timeout);
        EventStream { events, handle }
    }
}

impl EventStream {
    /// A handle that sends messages and acknowledges events on the connection of this stream.
    #[must_use]
    pub fn handle(&self) -> EventStreamHandle {
        self.handle.clone()
    }
}

impl Stream for EventStream {
    type Item = Item;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Item>> {
        self.events.poll_recv(context)
    }
}
