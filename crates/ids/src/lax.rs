//! Ids in records of other producers.

use std::{borrow::Cow, fmt, marker::PhantomData, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{ParseIdError, Text};

/// The text of an id as it stands in a record. Agent Tool lets a producer write any string as an id,
/// even an empty one, and a reader has to keep it; but we never write one that was not checked.
///
/// INVARIANT: made only from a checked `Id` or by reading a record.
pub struct Lax<Id> {
    text: Text,
    kind: PhantomData<fn() -> Id>,
}

impl<Id> Lax<Id> {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.text.as_str()
    }

    /// Whether it is the empty text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.as_str().is_empty()
    }

    /// The id, if the text is one.
    ///
    /// # Errors
    /// If the text breaks the rules of `Id`.
    pub fn strict(&self) -> Result<Id, ParseIdError>
    where
        Id: FromStr<Err = ParseIdError>,
    {
        self.as_str().parse()
    }
}

/// An id that knows its own text.
pub trait Written {
    /// The text.
    fn text(&self) -> Text;
}

impl<Id: Written> From<Id> for Lax<Id> {
    fn from(id: Id) -> Self {
        Self::from(&id)
    }
}

impl<Id: Written> From<&Id> for Lax<Id> {
    fn from(id: &Id) -> Self {
        Self { text: id.text(), kind: PhantomData }
    }
}

impl<Id> Clone for Lax<Id> {
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), kind: PhantomData }
    }
}

impl<Id> PartialEq for Lax<Id> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl<Id> Eq for Lax<Id> {}

impl<Id> PartialOrd for Lax<Id> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<Id> Ord for Lax<Id> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.text.cmp(&other.text)
    }
}

impl<Id> std::hash::Hash for Lax<Id> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl<Id> fmt::Display for Lax<Id> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<Id> fmt::Debug for Lax<Id> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

impl<Id> Serialize for Lax<Id> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl<'de, Id> Deserialize<'de> for Lax<Id> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { text: Text::deserialize(deserializer)?, kind: PhantomData })
    }
}

/// Any string. It stands in line with the field it belongs to, whose documentation says more than its type.
impl<Id> JsonSchema for Lax<Id> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}
