//! What a device announces to the pages and terminals that show it.

use assent_ids::{AgentId, ConversationId, InvocationId, PromptId, RelationId, UnixMillis};
use assent_protocol::wire::Timestamp;
use serde::{Serialize, Serializer};
use tokio::sync::broadcast;

use crate::{Notification, Prompt};

/// The most events that a subscriber may be behind.
const CAPACITY: usize = 1024;

/// Something that has changed. It serializes as the data of the event.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum DeviceEvent {
    /// A prompt was opened.
    PromptOpened(Box<Prompt>),
    /// A prompt has more time, or less.
    PromptUpdated {
        /// The prompt.
        prompt_id: PromptId,
        /// The time after which no answer counts.
        #[serde(serialize_with = "timestamp")]
        not_after: UnixMillis,
    },
    /// A prompt was closed.
    PromptClosed {
        /// The prompt.
        prompt_id: PromptId,
        /// How it was closed.
        outcome: PromptOutcome,
    },
    /// A call was received, or answered.
    CallUpdated {
        /// The call.
        invocation_id: InvocationId,
        /// The agent that asks for it.
        agent_id: AgentId,
        /// The conversation that it came in.
        conversation_id: ConversationId,
    },
    /// What an agent may do has changed.
    RelationChanged {
        /// The agent.
        agent_id: AgentId,
    },
    /// An agent has changed what it declares, and the person has to look at it.
    ReviewOpened {
        /// The relation with the agent.
        relation_id: RelationId,
    },
    /// The person has looked at what an agent has changed, or it does not matter any more.
    ReviewClosed {
        /// The relation with the agent.
        relation_id: RelationId,
    },
    /// The keys of an agent are not those that the person has accepted.
    KeysChanged {
        /// The agent.
        agent_id: AgentId,
    },
    /// An agent shows a notification.
    Notification(Notification),
    /// A message was received or sent.
    Message {
        /// The conversation.
        conversation_id: ConversationId,
    },
    /// The connection to the relay has changed.
    Connection {
        /// Whether the device is connected.
        connected: bool,
    },
}

/// How a prompt was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptOutcome {
    /// The person allowed the call.
    Allowed,
    /// The person refused the call.
    Denied,
    /// The time was over.
    TimedOut,
    /// The agent does not want the call any more.
    Withdrawn,
}

impl DeviceEvent {
    /// The name of the event.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::PromptOpened(_) => "prompt.opened",
            Self::PromptUpdated { .. } => "prompt.updated",
            Self::PromptClosed { .. } => "prompt.closed",
            Self::CallUpdated { .. } => "call.updated",
            Self::RelationChanged { .. } => "relation.changed",
            Self::ReviewOpened { .. } => "review.opened",
            Self::ReviewClosed { .. } => "review.closed",
            Self::KeysChanged { .. } => "keys.changed",
            Self::Notification(_) => "notification",
            Self::Message { .. } => "message",
            Self::Connection { .. } => "connection",
        }
    }
}

/// Passes events on to subscribers.
#[derive(Clone, Debug)]
pub(crate) struct Events(broadcast::Sender<DeviceEvent>);

impl Default for Events {
    fn default() -> Self {
        Self(broadcast::Sender::new(CAPACITY))
    }
}

impl Events {
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<DeviceEvent> {
        self.0.subscribe()
    }

    pub(crate) fn announce(&self, event: DeviceEvent) {
        // Without a subscriber there is nothing to do.
        let _ = self.0.send(event);
    }
}

/// Writes a time as RFC 3339 text.
pub(crate) fn timestamp<S: Serializer>(
    time: &UnixMillis,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Timestamp::from(*time).serialize(serializer)
}
