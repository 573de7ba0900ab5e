//! How much of a list is asked for, and how long to wait for it.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::BrokenRule;

/// How many entries an answer may hold. More than 200 count as 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Limit(u64);

impl Limit {
    /// The most there are in one answer.
    pub const MAX: Self = Self(200);

    /// How many.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self(50)
    }
}

impl TryFrom<u64> for Limit {
    type Error = BrokenRule;

    fn try_from(limit: u64) -> Result<Self, BrokenRule> {
        match limit {
            0 => Err(BrokenRule::new("ask for at least one entry")),
            limit => Ok(Self(limit.min(Self::MAX.0))),
        }
    }
}

impl From<Limit> for u64 {
    fn from(limit: Limit) -> Self {
        limit.0
    }
}

impl JsonSchema for Limit {
    fn schema_name() -> Cow<'static, str> {
        "Limit".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "integer",
            "minimum": 1,
            "default": Self::default().0,
            "description": "How many entries the answer may hold. More than 200 count as 200.",
        })
    }
}

/// How many seconds a long poll may wait. More than 30 count as 30.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u64", into = "u64")]
pub struct WaitSeconds(u64);

impl WaitSeconds {
    /// The longest wait; proxies cut longer ones.
    pub const MAX: Self = Self(30);

    /// How many.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl From<u64> for WaitSeconds {
    fn from(seconds: u64) -> Self {
        Self(seconds.min(Self::MAX.0))
    }
}

impl From<WaitSeconds> for u64 {
    fn from(wait: WaitSeconds) -> Self {
        wait.0
    }
}

impl JsonSchema for WaitSeconds {
    fn schema_name() -> Cow<'static, str> {
        "WaitSeconds".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "integer",
            "minimum": 0,
            "default": 0,
            "description": "How many seconds to wait if there is nothing yet. More than 30 count as 30.",
        })
    }
}
