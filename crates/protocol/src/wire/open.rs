//! Open vocabularies: the words a specification lists, and whatever else a producer writes.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Word;

/// A word of the vocabulary `W`, or one that `W` does not list and that is kept as it came.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Open<W> {
    /// A listed word.
    Known(W),
    /// Another one.
    Other(Unlisted),
}

/// A word outside its vocabulary.
///
/// INVARIANT: made only by [`Open::read`], so it never spells a listed word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unlisted(Box<str>);

impl Unlisted {
    /// The word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<W: Word> Open<W> {
    /// The word with this spelling, listed or not.
    #[must_use]
    pub fn read(text: &str) -> Self {
        W::find(text).map_or_else(|| Self::Other(Unlisted(text.into())), Self::Known)
    }

    /// The word as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(word) => word.word(),
            Self::Other(word) => word.as_str(),
        }
    }

    /// The word, if it is a listed one.
    #[must_use]
    pub fn known(&self) -> Option<W> {
        match self {
            Self::Known(word) => Some(*word),
            Self::Other(_) => None,
        }
    }
}

impl<W: Word> From<W> for Open<W> {
    fn from(word: W) -> Self {
        Self::Known(word)
    }
}

impl<W: Word> PartialEq<W> for Open<W> {
    fn eq(&self, other: &W) -> bool {
        self.known() == Some(*other)
    }
}

impl<W: Word> fmt::Display for Open<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<W: Word> Serialize for Open<W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de, W: Word> Deserialize<'de> for Open<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::read(&String::deserialize(deserializer)?))
    }
}

/// The listed words, or any other string: readers must not stumble over new words.
impl<W: Word + JsonSchema> JsonSchema for Open<W> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Open{}", W::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let listed = generator.subschema_for::<W>();
        json_schema!({ "anyOf": [listed, { "type": "string" }] })
    }
}
