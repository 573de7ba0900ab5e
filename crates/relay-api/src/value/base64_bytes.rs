//! Bytes that travel as base64: keys, signatures, sealed backups.

use std::{borrow::Cow, fmt};

use assent_protocol::a2h::ApiCode;
use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::BrokenRule;

/// The standard alphabet. Padding is written, and need not be there when reading.
pub(super) const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// What is said about a text that is not base64.
pub(super) const NOT_BASE64: &str = "this is not base64 in the standard alphabet";

pub(super) fn decode<const N: usize>(text: &str) -> Result<[u8; N], BrokenRule> {
    let wrong = || BrokenRule::new(format!("this must be the base64 of {N} bytes"));
    // Longer texts need not be decoded to know that they are wrong.
    if text.len() > N.div_ceil(3) * 4 {
        return Err(wrong());
    }
    let bytes = BASE64.decode(text).map_err(|_| BrokenRule::new(NOT_BASE64))?;
    bytes.try_into().map_err(|_| wrong())
}

/// Makes a type around a fixed number of bytes.
macro_rules! fixed_bytes {
    ($(#[doc = $doc:literal])+ $name:ident, $bytes:literal, $code:expr) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name([u8; $bytes]);

        impl $name {
            /// The bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; $bytes] {
                &self.0
            }
        }
        impl From<[u8; $bytes]> for $name {
            fn from(bytes: [u8; $bytes]) -> Self {
                Self(bytes)
            }
        }
        impl std::str::FromStr for $name {
            type Err = BrokenRule;
            fn from_str(text: &str) -> Result<Self, BrokenRule> {
                decode(text).map(Self).map_err(|rule| rule.code($code))
            }
        }
        impl TryFrom<String> for $name {
            type Error = BrokenRule;
            fn try_from(text: String) -> Result<Self, BrokenRule> {
                text.parse()
            }
        }
        impl From<$name> for String {
            fn from(value: $name) -> Self {
                BASE64.encode(value.0)
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&BASE64.encode(self.0))
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                base64_schema(concat!($($doc),+), $bytes, $bytes, &exactly($bytes))
            }
        }
    };
}

fixed_bytes! {
    /// A public key, X25519 or Ed25519: base64 of 32 bytes.
    PublicKey, 32, ApiCode::InvalidKey
}
fixed_bytes! {
    /// An Ed25519 signature: base64 of 64 bytes.
    Signature, 64, ApiCode::ValidationFailed
}

/// Base64 of any number of bytes. Of the last letter before the padding not all bits count; those that do
/// not are zero.
pub(super) const ANY_BASE64: &str =
    "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]={0,2}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=?)?$";

/// The pattern of the base64 of exactly `bytes` bytes.
pub(super) fn exactly(bytes: usize) -> String {
    let letters = bytes * 8 / 6;
    match bytes % 3 {
        0 => format!("^[A-Za-z0-9+/]{{{letters}}}$"),
        1 => format!("^[A-Za-z0-9+/]{{{letters}}}[AQgw]={{0,2}}$"),
        _ => format!("^[A-Za-z0-9+/]{{{letters}}}[AEIMQUYcgkosw048]=?$"),
    }
}

pub(super) fn base64_schema(description: &str, min: usize, max: usize, pattern: &str) -> Schema {
    json_schema!({
        "type": "string",
        "contentEncoding": "base64",
        "minLength": (min * 8).div_ceil(6),
        "maxLength": max.div_ceil(3) * 4,
        "pattern": pattern,
        "description": description.trim(),
    })
}

/// Something that only the person's own devices can open: base64 of at most 4096 bytes. It is handled as a
/// secret, although it is sealed: the password it is sealed with may be a weak one.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Sealed(Zeroizing<Vec<u8>>);

/// The salt of a key that is derived from a password: base64 of 16 to 64 bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Salt(Vec<u8>);

/// The bytes that a salt may have.
const SALT: std::ops::RangeInclusive<usize> = 16..=64;
/// The most bytes of something sealed.
const MAX_SEALED: usize = 4096;

fn decode_within(text: &str, min: usize, max: usize) -> Result<Vec<u8>, BrokenRule> {
    let wrong = || BrokenRule::new(format!("this must be the base64 of {min} to {max} bytes"));
    if text.len() > max.div_ceil(3) * 4 {
        return Err(wrong());
    }
    let bytes = BASE64.decode(text).map_err(|_| BrokenRule::new(NOT_BASE64))?;
    if (min..=max).contains(&bytes.len()) { Ok(bytes) } else { Err(wrong()) }
}

impl Sealed {
    /// The sealed bytes.
    #[must_use]
    pub fn expose(&self) -> &[u8] {
        &self.0
    }
}

impl Salt {
    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl TryFrom<String> for Sealed {
    type Error = BrokenRule;

    fn try_from(text: String) -> Result<Self, BrokenRule> {
        let text = Zeroizing::new(text);
        decode_within(&text, 1, MAX_SEALED).map(|bytes| Self(Zeroizing::new(bytes)))
    }
}

impl TryFrom<String> for Salt {
    type Error = BrokenRule;

    fn try_from(text: String) -> Result<Self, BrokenRule> {
        decode_within(&text, *SALT.start(), *SALT.end()).map(Self)
    }
}

impl From<Sealed> for String {
    fn from(sealed: Sealed) -> Self {
        BASE64.encode(&*sealed.0)
    }
}

impl From<Salt> for String {
    fn from(salt: Salt) -> Self {
        BASE64.encode(salt.0)
    }
}

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealed(…)")
    }
}

impl JsonSchema for Sealed {
    fn schema_name() -> Cow<'static, str> {
        "Sealed".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let text =
            "Something that only the person's own devices can open: base64 of at most 4096 bytes.";
        base64_schema(text, 1, MAX_SEALED, ANY_BASE64)
    }
}

impl JsonSchema for Salt {
    fn schema_name() -> Cow<'static, str> {
        "Salt".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let text = "The salt of a key that is derived from a password: base64 of 16 to 64 bytes.";
        base64_schema(text, *SALT.start(), *SALT.end(), ANY_BASE64)
    }
}
