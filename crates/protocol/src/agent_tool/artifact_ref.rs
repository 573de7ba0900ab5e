//! A reference to a durable deliverable that a call made or linked.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/resource-and-artifact-refs.md>

use assent_ids::{ArtifactId, Lax};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::{Object, present};

/// An artifact: it has an identity and versions of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ArtifactRef {
    /// The id of the artifact.
    pub artifact_id: Lax<ArtifactId>,
    /// Where it is.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// What it is.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// The digest of its bytes, `sha256:…`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Who may fetch it; any JSON.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub access: Option<Value>,
    /// What the call has to do with it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub source_relation: Option<String>,
    /// What was removed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub redaction_state: Option<String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ArtifactRef {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(artifact_id: impl Into<Lax<ArtifactId>>) -> Self {
        Self {
            artifact_id: artifact_id.into(),
            uri: None,
            media_type: None,
            digest: None,
            access: None,
            source_relation: None,
            redaction_state: None,
            extra: Object::new(),
        }
    }
}
