//! Changes of inputs.

use assent_ids::MutationId;
use assent_json::Digest;
use assent_protocol::agent_tool::MutationSource;
use serde::{Deserialize, Serialize};

use crate::serde_as;

/// One change of an input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mutated {
    /// Which change this is.
    pub id: MutationId,
    /// What kind of thing changed it.
    pub source: MutationSource,
    /// Which one of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_ref: Option<String>,
    /// The input before.
    #[serde(with = "serde_as::text")]
    pub from: Digest,
    /// The input after.
    #[serde(with = "serde_as::text")]
    pub to: Digest,
    /// What differs, as JSON Pointers.
    pub changed: Vec<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
