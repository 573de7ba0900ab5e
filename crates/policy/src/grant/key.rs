//! The id of a grant.

use std::{fmt, str::FromStr, sync::Arc};

use assent_ids::{GeneratedId, ParseIdError, RuleId};
use serde::{Deserialize, Serialize};

/// The id of a grant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GrantKey(Arc<str>);

impl GrantKey {
    /// Creates the id of a grant that comes from a decision, an approval or an entry of the ledger.
    #[must_use]
    pub fn of(id: impl GeneratedId + fmt::Display) -> Self {
        Self(id.to_string().into())
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for GrantKey {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        // Records name a grant like a rule.
        text.parse::<RuleId>().map(|id| Self(id.as_str().into()))
    }
}

impl TryFrom<String> for GrantKey {
    type Error = ParseIdError;

    fn try_from(text: String) -> Result<Self, ParseIdError> {
        text.parse()
    }
}

impl From<GrantKey> for String {
    fn from(key: GrantKey) -> Self {
        key.as_str().to_owned()
    }
}

impl fmt::Display for GrantKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for GrantKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
