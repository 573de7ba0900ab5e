//! The permission mode.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::Decision;

/// The permission mode of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// A person can be asked.
    #[default]
    Interactive,
    /// No person can be asked: calls that would be asked about are denied.
    Headless,
    /// Only calls that change nothing may run.
    ReadOnly,
    /// No call runs.
    Plan,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Self; 4] = [Self::Interactive, Self::Headless, Self::ReadOnly, Self::Plan];

    /// Returns the mode as it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Headless => "headless",
            Self::ReadOnly => "read_only",
            Self::Plan => "plan",
        }
    }

    /// Returns the decision for a call that no layer had an opinion about (`passthrough`).
    #[must_use]
    pub fn default_decision(self) -> Decision {
        match self {
            Self::Interactive | Self::ReadOnly => Decision::Ask,
            Self::Headless | Self::Plan => Decision::Deny,
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<Self, UnknownMode> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == text).ok_or(UnknownMode)
    }
}

impl Serialize for Mode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Mode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// The text is not a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a mode is one of `interactive`, `headless`, `read_only`, `plan`")]
pub struct UnknownMode;
