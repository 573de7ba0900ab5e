//! A reference to something that can be fetched or subscribed to.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/resource-and-artifact-refs.md>

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::{Object, present};

/// A resource: it belongs to the protocol it came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResourceRef {
    /// Where it is.
    pub uri: String,
    /// Which resource.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
    /// Its native name; any JSON.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub native_ref: Option<Value>,
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

impl ResourceRef {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(uri: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            resource_id: None,
            native_ref: None,
            media_type: None,
            digest: None,
            access: None,
            source_relation: None,
            redaction_state: None,
            extra: Object::new(),
        }
    }
}
