//! Values whose shape the published schemas leave open.

use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::Object;

/// A value that we write as a `T`. Another producer may have put something else there, since the
/// published schema does not forbid it; that is kept as it came.
///
/// `Raw` is an [`Object`] where the schema asks for an object, and a [`Value`] for fields of our own
/// that the schema does not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Loose<T, Raw = Object> {
    /// It has our shape.
    Typed(T),
    /// It has another shape.
    Raw(Raw),
}

impl<T, Raw> Loose<T, Raw> {
    /// The value, if it has our shape.
    pub fn typed(&self) -> Option<&T> {
        match self {
            Self::Typed(value) => Some(value),
            Self::Raw(_) => None,
        }
    }
}

impl<T, Raw> From<T> for Loose<T, Raw> {
    fn from(value: T) -> Self {
        Self::Typed(value)
    }
}

impl<'de, T: DeserializeOwned, Raw: DeserializeOwned> Deserialize<'de> for Loose<T, Raw> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        match T::deserialize(&value) {
            Ok(typed) => Ok(Self::Typed(typed)),
            Err(_) => Raw::deserialize(value).map(Self::Raw).map_err(serde::de::Error::custom),
        }
    }
}
