//! What clients send.

use std::borrow::Cow;

use assent_ids::{AgentId, DeviceId, EventSeq};
use assent_protocol::a2h::{ApiCode, ApiError};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::{Head, MessageRefused, MessageSend, tagged};
use crate::{
    read::{read_document, read_node},
    value::Secret,
};

/// The longest frame of a client, in bytes. A message that does not fit is sent by HTTP: what arrives of a frame is held
/// in memory until it is complete, for each of very many connections.
pub const MAX_FRAME_BYTES: usize = 64 * 1024;

/// The longest first frame, in bytes: a stranger gets less room.
pub const MAX_FIRST_FRAME_BYTES: usize = 16 * 1024;

/// A frame of a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type")]
pub enum ClientFrame {
    /// The first frame.
    #[serde(rename = "auth")]
    Auth(Auth),
    /// Another access token, before the first one expires.
    #[serde(rename = "auth.renew")]
    AuthRenew(AuthRenew),
    /// That events were handled.
    #[serde(rename = "ack")]
    Ack(Ack),
    /// A sealed message.
    #[serde(rename = "message.send")]
    MessageSend(Box<MessageSend>),
    /// A message that cannot be read, and the answer to its sender. The connection goes on.
    #[serde(skip)]
    Unreadable(Box<MessageRefused>),
    /// A ping, for clients that cannot send a ping of the WebSocket protocol.
    #[serde(rename = "ping")]
    Ping(Ping),
    /// A frame that this version does not know, to be ignored.
    #[serde(skip)]
    Unknown,
}

/// The first frame: who connects, and from where to go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Auth {
    /// An access token on `/ws/human`, the token of the agent on `/ws/agent`.
    pub token: Secret,
    /// The agent, if the address does not name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentId>,
    /// The last event that the client has: those after it follow. Without it, those that were never
    /// acknowledged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume_after: Option<EventSeq>,
    /// The device that connects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_id: Option<DeviceId>,
}

/// Another access token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuthRenew {
    /// The token.
    pub access_token: Secret,
}

/// That events were handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ack {
    /// The last one of them.
    pub event_id: EventSeq,
}

/// Asks for a pong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ping {}

impl ClientFrame {
    /// Reads a frame.
    ///
    /// # Errors
    /// If it is too long, no JSON, or of a known type and wrong. A wrong message is no error but
    /// [`ClientFrame::Unreadable`].
    pub fn read(frame: &[u8]) -> Result<Self, ApiError> {
        if frame.len() > MAX_FRAME_BYTES {
            let message = format!("a frame has at most {MAX_FRAME_BYTES} bytes");
            return Err(ApiError::new(ApiCode::PayloadTooLarge, message));
        }
        let document = read_document(frame)?;
        let node = document.root();
        match read_node::<Head>(node)?.r#type.as_str() {
            "auth" => read_node(node).map(Self::Auth),
            "auth.renew" => read_node(node).map(Self::AuthRenew),
            "ack" => read_node(node).map(Self::Ack),
            "message.send" => Ok(match MessageSend::read(node) {
                Ok(message) => Self::MessageSend(Box::new(message)),
                Err(error) => Self::Unreadable(Box::new(MessageRefused::unreadable(node, error))),
            }),
            "ping" => read_node(node).map(Self::Ping),
            _ => Ok(Self::Unknown),
        }
    }
}

impl JsonSchema for ClientFrame {
    fn schema_name() -> Cow<'static, str> {
        "ClientFrame".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let kinds = [
            tagged("auth", &generator.subschema_for::<Auth>()),
            tagged("auth.renew", &generator.subschema_for::<AuthRenew>()),
            tagged("ack", &generator.subschema_for::<Ack>()),
            tagged("message.send", &generator.subschema_for::<MessageSend>()),
            tagged("ping", &generator.subschema_for::<Ping>()),
        ];
        json_schema!({ "description": "A frame of a client on the socket.", "oneOf": kinds })
    }
}
