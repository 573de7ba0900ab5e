//! A message on the socket, and the one answer that it gets.
//!
//! It is [`SendMessage`](crate::operations::conversations::SendMessage) without a request of its own: the same message, the
//! same rules, limits and errors. Messages of a connection are stored one after the other, in the order in which they
//! were sent.

use assent_ids::{ClientMessageId, ConversationId};
use assent_json::Node;
use assent_protocol::{a2h::ApiError, wire::never_null};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    operations::conversations::{NewMessage, SentMessage},
    path::ConversationPath,
    read::read_node,
};

/// A message to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MessageSend {
    /// The conversation that it goes to.
    pub conversation_id: ConversationId,
    /// The message.
    #[serde(flatten)]
    pub message: NewMessage,
}

/// That a message is stored: it will be delivered, whatever happens to the server. Also for one that was stored before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MessageSent {
    /// The conversation.
    pub conversation_id: ConversationId,
    /// Which message, as its sender names it.
    pub client_message_id: ClientMessageId,
    /// Where it stands.
    #[serde(flatten)]
    pub sent: SentMessage,
}

/// That a message is not stored, and why. After `STORAGE_UNAVAILABLE` it may be stored all the same: send it again under
/// the same name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct MessageRefused {
    /// The conversation, unless that could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<ConversationId>,
    /// Which message, as its sender names it, unless that could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_message_id: Option<ClientMessageId>,
    /// Why.
    pub error: ApiError,
}

impl MessageSend {
    /// Read as a request is: its path and its body, so that what is wrong has a place.
    pub(super) fn read(node: Node<'_>) -> Result<Self, ApiError> {
        let ConversationPath { conversation_id } = read_node(node)?;
        Ok(Self { conversation_id, message: read_node(node)? })
    }
}

impl MessageRefused {
    /// The answer to a message that cannot be read: with as much of its names as can be.
    pub(super) fn unreadable(node: Node<'_>, error: ApiError) -> Self {
        Self {
            conversation_id: member(node, "conversation_id"),
            client_message_id: member(node, "client_message_id"),
            error,
        }
    }
}

fn member<T: DeserializeOwned>(node: Node<'_>, name: &str) -> Option<T> {
    read_node(node.get(name)?).ok()
}
