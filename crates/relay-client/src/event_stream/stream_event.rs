//! What a stream yields.

use std::time::Duration;

use assent_ids::EventSeq;
use assent_protocol::a2h::RelayEvent;
use assent_relay_api::socket::{AuthExpiring, AuthOk};

use crate::StreamError;

/// What a stream yields: events, and changes of the connection.
#[derive(Debug)]
#[non_exhaustive]
pub enum StreamEvent {
    /// An event.
    Event(Box<RelayEvent>),
    /// Events that were deleted because they were too old. The stream goes on after them.
    Skipped {
        /// The first of them.
        first: EventSeq,
        /// The last of them.
        last: EventSeq,
    },
    /// The stream is connected. If it resumes before the last event that it has yielded, the relay was restored from a
    /// backup and gives the numbers after that to other events.
    Connected(AuthOk),
    /// The stream is not connected and will reconnect.
    Disconnected {
        /// Why the connection ended, or was not made.
        error: StreamError,
        /// When the stream reconnects.
        retry_in: Duration,
    },
    /// The access token is about to expire. The stream needs another one by
    /// [`EventStreamHandle::renew`](crate::EventStreamHandle::renew).
    TokenExpiring(AuthExpiring),
}
