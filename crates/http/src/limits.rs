//! Limits of a server.

use std::time::Duration;

/// Limits of a server. Bodies have limits of their own, see [`read_json`](crate::read_json).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The most simultaneous connections of a listener. One more is closed at once.
    pub connections: usize,
    /// The most bytes of a path with its query.
    pub uri: usize,
    /// The most bytes of all headers, names included.
    pub headers: usize,
    /// How long a client may take to send the head of a request, and to begin the next one.
    pub head: Duration,
    /// How long a handler may take until the head of its response is ready.
    pub response: Duration,
    /// The most simultaneous requests on a connection of HTTP/2.
    pub streams: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 1024,
            uri: 8 * 1024,
            headers: 32 * 1024,
            head: Duration::from_secs(10),
            response: Duration::from_secs(60),
            streams: 128,
        }
    }
}
