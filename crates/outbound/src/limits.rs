//! Limits of a call.

use std::time::Duration;

/// The longest head of an answer, in bytes. It has at most a hundred headers.
pub(crate) const MAX_HEAD_BYTES: usize = 64 * 1024;

/// The limits of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest time to connect: resolving the name, dialing, negotiating TLS.
    pub connect: Duration,
    /// The longest time of the whole call. If it is `None`, the caller has to limit the time.
    pub call: Option<Duration>,
    /// The most bytes of the body that [`Client::send`](crate::Client::send) keeps.
    pub body: usize,
}

/// The usual limits for webhooks: fifteen seconds, and a short body.
impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            call: Some(Duration::from_secs(15)),
            body: 64 * 1024,
        }
    }
}

/// Whether a connection is kept after a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// The connection is closed. For untrusted addresses: any number of hosts could each keep a socket open.
    /// Changes of DNS also take effect at once.
    Never,
    /// This many connections to each host are kept for a minute. For few known hosts.
    PerHost(usize),
}
