//! Passwords: a new one has rules, a given one is only compared.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::{BrokenRule, Secret};

/// The fewest characters of a new password.
const MIN_CHARACTERS: usize = 8;
/// The most bytes of a password. Hashing takes long on purpose, and longer for more bytes.
const MAX_BYTES: usize = 1024;

/// A new password: at least 8 characters, at most 1024 bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Secret", into = "Secret")]
pub struct NewPassword(Secret);

/// A password at login. It may be wrong in any way, but not longer than a password can be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Secret", into = "Secret")]
pub struct Password(Secret);

impl NewPassword {
    /// The password itself.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose()
    }
}

impl Password {
    /// The password itself.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose()
    }
}

impl TryFrom<Secret> for NewPassword {
    type Error = BrokenRule;

    fn try_from(secret: Secret) -> Result<Self, BrokenRule> {
        if secret.expose().chars().count() < MIN_CHARACTERS {
            let text = format!("a password has at least {MIN_CHARACTERS} characters");
            return Err(BrokenRule::new(text));
        }
        Password::try_from(secret).map(|password| Self(password.0))
    }
}

impl TryFrom<Secret> for Password {
    type Error = BrokenRule;

    fn try_from(secret: Secret) -> Result<Self, BrokenRule> {
        if secret.expose().len() > MAX_BYTES {
            return Err(BrokenRule::new(format!("a password has at most {MAX_BYTES} bytes")));
        }
        Ok(Self(secret))
    }
}

impl From<NewPassword> for Secret {
    fn from(password: NewPassword) -> Self {
        password.0
    }
}

impl From<Password> for Secret {
    fn from(password: Password) -> Self {
        password.0
    }
}

impl JsonSchema for NewPassword {
    fn schema_name() -> Cow<'static, str> {
        "NewPassword".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "format": "password",
            "minLength": MIN_CHARACTERS,
            "maxLength": MAX_BYTES,
            "description": "A new password: at least 8 characters, at most 1024 bytes.",
        })
    }
}

impl JsonSchema for Password {
    fn schema_name() -> Cow<'static, str> {
        "Password".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "format": "password",
            "maxLength": MAX_BYTES,
            "description": "A password at login.",
        })
    }
}
