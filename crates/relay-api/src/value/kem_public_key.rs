//! Public keys for post-quantum key encapsulation.

use std::{borrow::Cow, fmt, str::FromStr};

use assent_protocol::a2h::ApiCode;
use base64::Engine as _;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::{
    BrokenRule,
    base64_bytes::{BASE64, base64_schema, decode, exactly},
};

/// The length of an X-Wing public key.
const BYTES: usize = 1216;

/// An X-Wing public key (ML-KEM-768 and X25519): base64 of 1,216 bytes.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct KemPublicKey(Box<[u8; BYTES]>);

impl KemPublicKey {
    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; BYTES] {
        &self.0
    }
}

impl From<[u8; BYTES]> for KemPublicKey {
    fn from(bytes: [u8; BYTES]) -> Self {
        Self(Box::new(bytes))
    }
}

impl FromStr for KemPublicKey {
    type Err = BrokenRule;

    fn from_str(text: &str) -> Result<Self, BrokenRule> {
        let bytes = decode::<BYTES>(text).map_err(|rule| rule.code(ApiCode::InvalidKey))?;
        Ok(bytes.into())
    }
}

impl TryFrom<String> for KemPublicKey {
    type Error = BrokenRule;

    fn try_from(text: String) -> Result<Self, BrokenRule> {
        text.parse()
    }
}

impl From<KemPublicKey> for String {
    fn from(key: KemPublicKey) -> Self {
        key.to_string()
    }
}

impl fmt::Display for KemPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64.encode(*self.0))
    }
}

impl fmt::Debug for KemPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KemPublicKey({self})")
    }
}

impl JsonSchema for KemPublicKey {
    fn schema_name() -> Cow<'static, str> {
        "KemPublicKey".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let text = "An X-Wing public key (ML-KEM-768 and X25519): base64 of 1,216 bytes.";
        base64_schema(text, BYTES, BYTES, &exactly(BYTES))
    }
}
