//! The name of a prekey.

use std::{borrow::Cow, fmt};

use assent_json::Digest;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, Visitor},
};

use super::{BrokenRule, KemPublicKey};

/// The most bytes of a name.
const MAX_BYTES: usize = 64;

/// The name of a prekey, as the device that made it calls it: a number or a short text. It comes back as it
/// was given.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct PrekeyId(NumberOrText);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(u64),
    Text(String),
}

impl PrekeyId {
    /// The text, unless it is a number.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.0 {
            NumberOrText::Number(_) => None,
            NumberOrText::Text(text) => Some(text),
        }
    }
}

impl From<u64> for PrekeyId {
    fn from(number: u64) -> Self {
        Self(NumberOrText::Number(number))
    }
}

/// The id of a KEM prekey: the first 8 bytes of the SHA-256 of its key, as lower-case hexadecimal digits.
impl From<&KemPublicKey> for PrekeyId {
    fn from(key: &KemPublicKey) -> Self {
        let digest = Digest::of(key.as_bytes());
        let digits = digest.as_bytes().iter().take(8).map(|byte| format!("{byte:02x}"));
        Self(NumberOrText::Text(digits.collect()))
    }
}

impl TryFrom<String> for PrekeyId {
    type Error = BrokenRule;

    fn try_from(text: String) -> Result<Self, BrokenRule> {
        let fits =
            (1..=MAX_BYTES).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic());
        let rule = "the name of a prekey is a number, or 1 to 64 visible ASCII characters";
        if fits { Ok(Self(NumberOrText::Text(text))) } else { Err(BrokenRule::new(rule)) }
    }
}

impl<'de> Deserialize<'de> for PrekeyId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberOrString)
    }
}

struct NumberOrString;

impl Visitor<'_> for NumberOrString {
    type Value = PrekeyId;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number or a string")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<PrekeyId, E> {
        Ok(number.into())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<PrekeyId, E> {
        text.to_owned().try_into().map_err(E::custom)
    }
}

impl JsonSchema for PrekeyId {
    fn schema_name() -> Cow<'static, str> {
        "PrekeyId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The name of a prekey, as the device that made it calls it. It comes back as it was given.",
            "anyOf": [
                { "type": "integer", "minimum": 0 },
                { "type": "string", "pattern": "^[!-~]{1,64}$" },
            ],
        })
    }
}
