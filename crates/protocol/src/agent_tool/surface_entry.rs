//! An item of `loaded_tools` or `deferred_tools`. We write ids; others embed whole records, and the
//! schema admits anything.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/tool-surface.md>

use assent_ids::{Lax, ToolId};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{DeferredToolRef, ToolDeclaration};
use crate::wire::Object;

/// A tool on a surface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SurfaceEntry {
    /// By its id.
    Id(Lax<ToolId>),
    /// With its record, which may leave out the version: it has that of the surface.
    Embedded(Object),
    /// Something else.
    Raw(Value),
}

impl SurfaceEntry {
    /// The id of the tool, if there is one.
    #[must_use]
    pub fn tool_id(&self) -> Option<&str> {
        match self {
            Self::Id(id) => Some(id.as_str()),
            Self::Embedded(record) => record.get("tool_id").and_then(Value::as_str),
            Self::Raw(_) => None,
        }
    }

    /// The embedded declaration, if there is one.
    #[must_use]
    pub fn declaration(&self, surface_version: &str) -> Option<ToolDeclaration> {
        self.embedded(surface_version)
    }

    /// The embedded reference to a deferred tool, if there is one.
    #[must_use]
    pub fn deferred_ref(&self, surface_version: &str) -> Option<DeferredToolRef> {
        self.embedded(surface_version)
    }

    fn embedded<T: DeserializeOwned>(&self, surface_version: &str) -> Option<T> {
        let Self::Embedded(record) = self else { return None };
        let mut record = record.clone();
        record.entry("schema_version".to_owned()).or_insert_with(|| surface_version.into());
        serde_json::from_value(Value::Object(record.into_iter().collect())).ok()
    }
}

impl From<ToolId> for SurfaceEntry {
    fn from(id: ToolId) -> Self {
        Self::Id(id.into())
    }
}
