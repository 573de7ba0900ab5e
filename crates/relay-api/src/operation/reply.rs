//! How the answer of an operation stands in its envelope.

use assent_protocol::a2h::{DataEnvelope, Page};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// The envelope of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `{"data":…}`
    Data,
    /// `{"data":[…],"next_cursor":…}`
    Page,
    /// JSON without an envelope.
    Bare,
    /// Text.
    Text,
    /// Nothing: the connection becomes a socket.
    Upgrade,
}

impl Shape {
    /// The media type of the body, if there is one.
    #[must_use]
    pub const fn media_type(self) -> Option<&'static str> {
        match self {
            Self::Data | Self::Page | Self::Bare => Some("application/json"),
            Self::Text => Some("text/plain; version=0.0.4; charset=utf-8"),
            Self::Upgrade => None,
        }
    }
}

/// What an operation answers.
pub trait Reply: Serialize + DeserializeOwned + JsonSchema + Send + 'static {
    /// Its envelope.
    const SHAPE: Shape = Shape::Data;

    /// The body of the response.
    ///
    /// # Errors
    /// Never for the types of this crate; the signature is that of the serialiser.
    fn write(&self) -> Result<Vec<u8>, serde_json::Error> {
        match Self::SHAPE {
            Shape::Data => serde_json::to_vec(&DataEnvelope { data: self }),
            Shape::Page | Shape::Bare => serde_json::to_vec(self),
            Shape::Text => Ok(match serde_json::to_value(self)? {
                Value::String(text) => text.into_bytes(),
                other => other.to_string().into_bytes(),
            }),
            Shape::Upgrade => Ok(Vec::new()),
        }
    }

    /// Reads the body of a response.
    ///
    /// # Errors
    /// If it is none of this operation.
    fn read(body: &[u8]) -> Result<Self, serde_json::Error> {
        match Self::SHAPE {
            Shape::Data => {
                serde_json::from_slice::<DataEnvelope<Self>>(body).map(|envelope| envelope.data)
            }
            Shape::Page | Shape::Bare => serde_json::from_slice(body),
            Shape::Text => {
                let text = String::from_utf8_lossy(body).into_owned();
                serde_json::from_value(Value::String(text))
            }
            Shape::Upgrade => serde_json::from_value(Value::Null),
        }
    }

    /// The schema of the body of the response.
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let inner = generator.subschema_for::<Self>();
        match Self::SHAPE {
            Shape::Data => json_schema!({
                "type": "object",
                "properties": { "data": inner },
                "required": ["data"],
            }),
            Shape::Page | Shape::Bare | Shape::Text | Shape::Upgrade => inner,
        }
    }
}

impl<T> Reply for Page<T>
where
    T: Serialize + DeserializeOwned + JsonSchema + Send + 'static,
{
    const SHAPE: Shape = Shape::Page;
}
