//! Events that the relay sends to people and agents, by WebSocket, by HTTP and to webhooks.

use std::borrow::Cow;

use assent_ids::EventSeq;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Value, json};

use super::{
    AgentKeysChanged, CapabilityChanged, Message, MessageAck, ReauthRequired, RelationNotice,
    SessionInvalidated, TelemetryNotice,
};
use crate::wire::{Open, words};

/// An event on its way: `{"type":…,"event_id":n,"data":{…}}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelayEvent {
    /// Its number among the events of the recipient, increasing.
    pub event_id: EventSeq,
    /// The event.
    pub body: EventBody,
}

words! {
    /// The types of events.
    RelayEventType {
        /// A message was stored.
        MessageNew = "message.new",
        /// The recipient's own message was stored.
        MessageAck = "message.ack",
        /// A person and an agent have a relation now.
        RelationEstablished = "relation.established",
        /// The grants of a relation changed.
        RelationUpdated = "relation.updated",
        /// The person ended a relation.
        RelationRevoked = "relation.revoked",
        /// The owner or operator suspended a relation.
        RelationSuspended = "relation.suspended",
        /// A suspended relation is active again.
        RelationRestored = "relation.restored",
        /// The manifest changed so that the person has to agree again.
        ReauthRequired = "h2a.reauth_required",
        /// The manifest changed, or a person answered to a change.
        CapabilityChanged = "agent.capability_changed",
        /// The agent has registered other keys.
        AgentKeysChanged = "agent.keys_changed",
        /// Something the owner of an agent should know.
        Telemetry = "agent.telemetry",
        /// The recipient's session has ended.
        SessionInvalidated = "session.invalidated",
    }
}

/// The event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventBody {
    /// `message.new`
    MessageNew(Box<Message>),
    /// `message.ack`
    MessageAck(MessageAck),
    /// `relation.established`
    RelationEstablished(RelationNotice),
    /// `relation.updated`
    RelationUpdated(RelationNotice),
    /// `relation.revoked`
    RelationRevoked(RelationNotice),
    /// `relation.suspended`
    RelationSuspended(RelationNotice),
    /// `relation.restored`
    RelationRestored(RelationNotice),
    /// `h2a.reauth_required`
    ReauthRequired(ReauthRequired),
    /// `agent.capability_changed`
    CapabilityChanged(CapabilityChanged),
    /// `agent.keys_changed`
    AgentKeysChanged(AgentKeysChanged),
    /// `agent.telemetry`
    Telemetry(TelemetryNotice),
    /// `session.invalidated`
    SessionInvalidated(SessionInvalidated),
    /// An event that this version does not know.
    Other {
        /// Its type.
        event_type: String,
        /// Its data.
        data: Value,
    },
}

impl EventBody {
    /// The type on the wire.
    #[must_use]
    pub fn event_type(&self) -> &str {
        match self {
            Self::MessageNew(_) => RelayEventType::MessageNew.as_str(),
            Self::MessageAck(_) => RelayEventType::MessageAck.as_str(),
            Self::RelationEstablished(_) => RelayEventType::RelationEstablished.as_str(),
            Self::RelationUpdated(_) => RelayEventType::RelationUpdated.as_str(),
            Self::RelationRevoked(_) => RelayEventType::RelationRevoked.as_str(),
            Self::RelationSuspended(_) => RelayEventType::RelationSuspended.as_str(),
            Self::RelationRestored(_) => RelayEventType::RelationRestored.as_str(),
            Self::ReauthRequired(_) => RelayEventType::ReauthRequired.as_str(),
            Self::CapabilityChanged(_) => RelayEventType::CapabilityChanged.as_str(),
            Self::AgentKeysChanged(_) => RelayEventType::AgentKeysChanged.as_str(),
            Self::Telemetry(_) => RelayEventType::Telemetry.as_str(),
            Self::SessionInvalidated(_) => RelayEventType::SessionInvalidated.as_str(),
            Self::Other { event_type, .. } => event_type,
        }
    }

    /// The body of an event with this type and data.
    ///
    /// # Errors
    /// If the type is known and the data does not belong to it.
    pub fn read(event_type: &str, data: Value) -> Result<Self, serde_json::Error> {
        let from = serde_json::from_value::<RelationNotice>;
        Ok(match Open::read(event_type) {
            Open::Known(RelayEventType::MessageNew) => {
                Self::MessageNew(serde_json::from_value(data)?)
            }
            Open::Known(RelayEventType::MessageAck) => {
                Self::MessageAck(serde_json::from_value(data)?)
            }
            Open::Known(RelayEventType::RelationEstablished) => {
                Self::RelationEstablished(from(data)?)
            }
            Open::Known(RelayEventType::RelationUpdated) => Self::RelationUpdated(from(data)?),
            Open::Known(RelayEventType::RelationRevoked) => Self::RelationRevoked(from(data)?),
            Open::Known(RelayEventType::RelationSuspended) => Self::RelationSuspended(from(data)?),
            Open::Known(RelayEventType::RelationRestored) => Self::RelationRestored(from(data)?),
            Open::Known(RelayEventType::ReauthRequired) => {
                Self::ReauthRequired(serde_json::from_value(data)?)
            }
            Open::Known(RelayEventType::CapabilityChanged) => {
                Self::CapabilityChanged(serde_json::from_value(data)?)
            }
            Open::Known(RelayEventType::AgentKeysChanged) => {
                Self::AgentKeysChanged(serde_json::from_value(data)?)
            }
            Open::Known(RelayEventType::Telemetry) => {
                Self::Telemetry(serde_json::from_value(data)?)
            }
            Open::Known(RelayEventType::SessionInvalidated) => {
                Self::SessionInvalidated(serde_json::from_value(data)?)
            }
            Open::Other(event_type) => {
                Self::Other { event_type: event_type.as_str().to_owned(), data }
            }
        })
    }

    /// The data on the wire.
    ///
    /// # Errors
    /// Never for the types of this crate; the signature is that of the serialiser.
    pub fn data(&self) -> Result<Value, serde_json::Error> {
        match self {
            Self::MessageNew(data) => serde_json::to_value(data),
            Self::MessageAck(data) => serde_json::to_value(data),
            Self::RelationEstablished(data)
            | Self::RelationUpdated(data)
            | Self::RelationRevoked(data)
            | Self::RelationSuspended(data)
            | Self::RelationRestored(data) => serde_json::to_value(data),
            Self::ReauthRequired(data) => serde_json::to_value(data),
            Self::CapabilityChanged(data) => serde_json::to_value(data),
            Self::AgentKeysChanged(data) => serde_json::to_value(data),
            Self::Telemetry(data) => serde_json::to_value(data),
            Self::SessionInvalidated(data) => serde_json::to_value(data),
            Self::Other { data, .. } => Ok(data.clone()),
        }
    }
}

impl Serialize for RelayEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let data = self.body.data().map_err(serde::ser::Error::custom)?;
        let event =
            json!({ "type": self.body.event_type(), "event_id": self.event_id, "data": data });
        event.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RelayEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Frame {
            r#type: String,
            event_id: EventSeq,
            #[serde(default)]
            data: Value,
        }
        let frame = Frame::deserialize(deserializer)?;
        let body = EventBody::read(&frame.r#type, frame.data).map_err(de::Error::custom)?;
        Ok(Self { event_id: frame.event_id, body })
    }
}

impl JsonSchema for RelayEvent {
    fn schema_name() -> Cow<'static, str> {
        "RelayEvent".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let kinds: Vec<Schema> =
            RelayEventType::ALL.iter().map(|kind| kind.schema(generator)).collect();
        json_schema!({
            "description": "An event. Readers ignore types that they do not know.",
            "type": "object",
            "properties": {
                "type": { "type": "string", "description": "What happened." },
                "event_id": generator.subschema_for::<EventSeq>(),
                "data": { "type": "object", "description": "What there is to know about it." },
            },
            "required": ["type", "event_id", "data"],
            "anyOf": kinds,
        })
    }
}

impl RelayEventType {
    /// The schema of events of this type.
    fn schema(self, generator: &mut SchemaGenerator) -> Schema {
        let data = match self {
            Self::MessageNew => generator.subschema_for::<Message>(),
            Self::MessageAck => generator.subschema_for::<MessageAck>(),
            Self::RelationEstablished
            | Self::RelationUpdated
            | Self::RelationRevoked
            | Self::RelationSuspended
            | Self::RelationRestored => generator.subschema_for::<RelationNotice>(),
            Self::ReauthRequired => generator.subschema_for::<ReauthRequired>(),
            Self::CapabilityChanged => generator.subschema_for::<CapabilityChanged>(),
            Self::AgentKeysChanged => generator.subschema_for::<AgentKeysChanged>(),
            Self::Telemetry => generator.subschema_for::<TelemetryNotice>(),
            Self::SessionInvalidated => generator.subschema_for::<SessionInvalidated>(),
        };
        json_schema!({ "properties": { "type": { "const": self.as_str() }, "data": data } })
    }
}
