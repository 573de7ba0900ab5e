//! How an event stream connects.

use std::time::Duration;

use assent_ids::{AgentId, DeviceId, EventSeq};

/// Whose events a stream receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SocketRole {
    /// Those of a person, with an access token.
    Human,
    /// Those of an agent, with its token.
    Agent(AgentId),
}

/// How an event stream connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectOptions {
    /// Whose events it receives.
    pub role: SocketRole,
    /// The last event that was handled. Without it, the stream starts after the last event that was acknowledged.
    pub resume_after: Option<EventSeq>,
    /// The device that connects.
    pub device_id: Option<DeviceId>,
    /// How long a message may wait for its answer, over all connections.
    pub send_timeout: Duration,
}

impl ConnectOptions {
    /// Starts after the last event that was acknowledged, names no device, and waits a minute for answers.
    #[must_use]
    pub const fn new(role: SocketRole) -> Self {
        Self { role, resume_after: None, device_id: None, send_timeout: Duration::from_secs(60) }
    }
}
