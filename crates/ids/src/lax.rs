//! Ids in records of other producers.

use std::{borrow::Cow, fmt, marker::PhantomData, str::FromStr, sync::Arc};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ParseIdError;

/// The text of an id in a record. Agent Tool allows a producer to write any string as an id, even an
/// empty one, and requires a reader to keep it.
///
/// INVARIANT: made only from a checked `Id` or by reading a record.
pub struct Lax<Id> {
    text: Arc<str>,
    kind: PhantomData<fn() -> Id>,
}

impl<Id> Lax<Id> {
    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns `true` for the empty text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.as_str().is_empty()
    }

    /// Parses the text as an id.
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

/// An id that can be written as text.
pub trait Written {
    /// The text.
    fn text(&self) -> Arc<str>;
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
        serializer.serialize_str(&self.text)
    }
}

impl<'de, Id> Deserialize<'de> for Lax<Id> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?.into();
        Ok(Self { text, kind: PhantomData })
    }
}

/// Any string. The schema is inlined, because the documentation of the field says more than its type.
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
