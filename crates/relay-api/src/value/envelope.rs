//! The sealed content of a message, which the relay carries and cannot open.

use std::{borrow::Cow, fmt};

use assent_protocol::a2h::ApiCode;
use base64::Engine;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::{
    BrokenRule,
    base64_bytes::{ANY_BASE64, BASE64, NOT_BASE64},
};

/// The most bytes of an envelope, decoded.
pub const MAX_ENVELOPE_BYTES: usize = 1024 * 1024;
/// The most characters of its base64.
const MAX_TEXT: usize = MAX_ENVELOPE_BYTES.div_ceil(3) * 4;

/// Base64 of 1 byte to 1 MiB. The text is kept as it came: what a recipient verifies is what was sent.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SealedEnvelope(String);

impl SealedEnvelope {
    /// The base64 text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for SealedEnvelope {
    type Error = BrokenRule;

    fn try_from(text: String) -> Result<Self, BrokenRule> {
        let too_large = || {
            let rule = format!("an envelope has at most {MAX_ENVELOPE_BYTES} bytes, decoded");
            BrokenRule::new(rule).code(ApiCode::EnvelopeTooLarge)
        };
        if text.len() > MAX_TEXT {
            return Err(too_large());
        }
        match BASE64.decode(&text).map_err(|_| BrokenRule::new(NOT_BASE64))?.len() {
            0 => Err(BrokenRule::new("an envelope is not empty")),
            length if length > MAX_ENVELOPE_BYTES => Err(too_large()),
            _ => Ok(Self(text)),
        }
    }
}

impl From<SealedEnvelope> for String {
    fn from(envelope: SealedEnvelope) -> Self {
        envelope.0
    }
}

impl fmt::Debug for SealedEnvelope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealedEnvelope({} characters)", self.0.len())
    }
}

impl JsonSchema for SealedEnvelope {
    fn schema_name() -> Cow<'static, str> {
        "SealedEnvelope".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "contentEncoding": "base64",
            "minLength": 2,
            "maxLength": MAX_TEXT,
            "pattern": ANY_BASE64,
            "description": "Sealed content: base64 of 1 byte to 1 MiB. The relay cannot open it.",
        })
    }
}
