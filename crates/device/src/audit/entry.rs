//! One entry of the audit log.

use assent_ids::{AgentId, AuditEntryId, CallId, InvocationId};
use assent_json::{Digest, ReadError, canonicalize};
use assent_protocol::wire::Timestamp;
use serde::{Deserialize, Serialize};

use crate::DecidedBy;

/// The version of the format.
pub(super) const VERSION: u64 = 1;

/// What comes before the entry in the bytes that are hashed.
const LABEL: &[u8] = b"assent/v1/audit";

/// One answered call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditEntry {
    /// The version of the format: 1.
    pub v: u64,
    /// The number of the entry, from 1, without gaps.
    pub seq: u64,
    /// The id of the entry.
    pub entry_id: AuditEntryId,
    /// The hash of the entry before; `None` for the first.
    pub prev: Option<String>,
    /// The agent's id of the call.
    pub call_id: CallId,
    /// The agent.
    pub agent_id: AgentId,
    /// The tool.
    pub tool_name: String,
    /// The scope of the tool; `None` if the tool is not declared.
    pub scope: Option<String>,
    /// The SHA-256 of a salt that only this device knows and of the arguments.
    pub arguments_digest: String,
    /// How the call was answered: `ok`, `denied` or `error`.
    pub status: String,
    /// Why it was denied, or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The code of the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<String>,
    /// Who decided.
    pub decided_by: DecidedBy,
    /// This device's id of the call.
    pub invocation_id: InvocationId,
    /// The hash of the manifest that the call was checked against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest_hash: Option<String>,
    /// The digest of what the person saw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view_digest: Option<String>,
    /// When it was answered.
    pub timestamp: Timestamp,
}

impl AuditEntry {
    /// The hash of the entry, which the next one names.
    ///
    /// # Errors
    /// If the entry has no canonical form.
    pub fn hash(&self) -> Result<String, ReadError> {
        // The fields of an entry always can be written down; what fails on an empty text fails closed.
        let text = serde_json::to_vec(self).unwrap_or_default();
        let bytes = [LABEL, &canonicalize(&text)?].concat();
        Ok(Digest::of(&bytes).to_string())
    }
}
