//! What the server sends.

use std::borrow::Cow;

use assent_ids::{EventSeq, Principal};
use assent_protocol::{
    a2h::RelayEvent,
    wire::{Open, never_null},
    words,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::{Head, MessageRefused, MessageSent, tagged};
use crate::read::{read_document, read_node};

/// A frame of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type")]
pub enum ServerFrame {
    /// The client is who it says.
    #[serde(rename = "auth.ok")]
    AuthOk(AuthOk),
    /// The client is not let in; the connection is closed.
    #[serde(rename = "auth.error")]
    AuthError(AuthError),
    /// The access token is about to expire: renew it.
    #[serde(rename = "auth.expiring")]
    AuthExpiring(AuthExpiring),
    /// The server is going down: connect again.
    #[serde(rename = "draining")]
    Draining(Draining),
    /// A message is stored.
    #[serde(rename = "message.sent")]
    MessageSent(MessageSent),
    /// A message is not stored.
    #[serde(rename = "message.refused")]
    MessageRefused(Box<MessageRefused>),
    /// The answer to a ping.
    #[serde(rename = "pong")]
    Pong(Pong),
    /// Something happened.
    #[serde(untagged)]
    Event(Box<RelayEvent>),
}

/// That the client is who it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct AuthOk {
    /// Who that is.
    pub id: Principal,
    /// The event after which the connection goes on.
    pub resume_after: EventSeq,
    /// The first event that is kept, or the one after the last if none is. Events between `resume_after` and this one
    /// were deleted and do not come.
    pub first_event_id: EventSeq,
    /// The last event there is. A client that has it is up to date.
    pub latest_event_id: EventSeq,
    /// How long the access token is good for; absent for agents, whose tokens do not expire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in_seconds: Option<u64>,
}

/// That the client is not let in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuthError {
    /// Why, for programs.
    pub reason: Open<AuthErrorReason>,
    /// Why, in English, for developers.
    pub message: String,
    /// The key of the text for people.
    pub i18n_key: String,
}

words! {
    /// Why a client is not let in.
    AuthErrorReason {
        /// The token is invalid, expired, or belongs to another party.
        InvalidToken = "invalid_token",
        /// The session was ended.
        SessionRevoked = "session_revoked",
        /// The first frame was another one.
        AuthRequired = "auth_required",
        /// The first frame did not come in time.
        AuthTimeout = "auth_timeout",
        /// The agent is suspended.
        Suspended = "suspended",
        /// There are too many connections.
        TooManyConnections = "too_many_connections",
    }
}

impl AuthError {
    /// The frame for a reason.
    #[must_use]
    pub fn new(reason: AuthErrorReason, message: impl Into<String>) -> Self {
        let i18n_key = format!("error.auth.{reason}");
        Self { reason: reason.into(), message: message.into(), i18n_key }
    }
}

/// That the access token is about to expire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuthExpiring {
    /// In how many seconds. Without `auth.renew` the connection is closed then.
    pub expires_in_seconds: u64,
}

/// That the server is going down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Draining {
    /// How long to wait before connecting again, so that not all clients reconnect at once.
    pub reconnect_after_ms: u64,
}

/// The answer to a ping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pong {}

impl ServerFrame {
    /// Reads a frame. An event of a type that this version does not know is an event all the same.
    ///
    /// # Errors
    /// If it is no JSON, or of a known type and wrong.
    pub fn read(frame: &[u8]) -> Result<Self, assent_protocol::a2h::ApiError> {
        let document = read_document(frame)?;
        let node = document.root();
        match read_node::<Head>(node)?.r#type.as_str() {
            "auth.ok" => read_node(node).map(Self::AuthOk),
            "auth.error" => read_node(node).map(Self::AuthError),
            "auth.expiring" => read_node(node).map(Self::AuthExpiring),
            "draining" => read_node(node).map(Self::Draining),
            "message.sent" => read_node(node).map(Self::MessageSent),
            "message.refused" => read_node(node).map(Box::new).map(Self::MessageRefused),
            "pong" => read_node(node).map(Self::Pong),
            _ => read_node(node).map(Box::new).map(Self::Event),
        }
    }
}

impl JsonSchema for ServerFrame {
    fn schema_name() -> Cow<'static, str> {
        "ServerFrame".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let kinds = [
            tagged("auth.ok", &generator.subschema_for::<AuthOk>()),
            tagged("auth.error", &generator.subschema_for::<AuthError>()),
            tagged("auth.expiring", &generator.subschema_for::<AuthExpiring>()),
            tagged("draining", &generator.subschema_for::<Draining>()),
            tagged("message.sent", &generator.subschema_for::<MessageSent>()),
            tagged("message.refused", &generator.subschema_for::<MessageRefused>()),
            tagged("pong", &generator.subschema_for::<Pong>()),
            generator.subschema_for::<RelayEvent>(),
        ];
        json_schema!({ "description": "A frame of the server on the socket.", "anyOf": kinds })
    }
}
