//! Changes of inputs.

use assent_ids::MutationId;
use assent_json::Digest;
use assent_protocol::agent_tool::MutationSource;
use serde::{Deserialize, Serialize};

use crate::serde_as;

/// One change of an input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mutated {
    /// The id of the change.
    pub id: MutationId,
    /// The kind of source.
    pub source: MutationSource,
    /// The id of the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_ref: Option<String>,
    /// The digest of the input before the change.
    #[serde(with = "serde_as::text")]
    pub from: Digest,
    /// The digest of the input after the change.
    #[serde(with = "serde_as::text")]
    pub to: Digest,
    /// The changed fields as JSON Pointers.
    pub changed: Vec<String>,
    /// The reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
