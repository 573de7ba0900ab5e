//! What one call may cost us.

use std::time::Duration;

/// The longest head of an answer, in bytes: its headers with what separates them. There are at most a
/// hundred.
pub(crate) const MAX_HEAD_BYTES: usize = 64 * 1024;

/// What one call may cost us, whatever the other side does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long the connection may take: looking up the name, dialling, agreeing on encryption.
    pub connect: Duration,
    /// How long everything together may take. Without it, whoever calls gives up by himself.
    pub call: Option<Duration>,
    /// How many bytes of the body [`Client::send`](crate::Client::send) keeps.
    pub body: usize,
}

/// As receivers of webhooks know it: fifteen seconds, and only so much of the answer as a person reads.
impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            call: Some(Duration::from_secs(15)),
            body: 64 * 1024,
        }
    }
}

/// What becomes of a connection after a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// It is closed. For strangers: they can name any number of hosts, and each would keep a socket of
    /// ours open. It also means that a name that leads elsewhere now is followed at once.
    Never,
    /// So many to each host are kept for a minute. For hosts that are few and known.
    PerHost(usize),
}
