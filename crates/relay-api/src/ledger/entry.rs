//! One entry of a ledger.

use assent_ids::{AgentId, DeviceId, ManifestHash, ScopeId, UserId};
use assent_json::{Digest, ReadError, canonicalize};
use assent_protocol::{wire::Timestamp, words};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{LEDGER_VERSION, RelationKey};

/// The most scopes that one entry grants.
pub const MAX_GRANTED_SCOPES: usize = 256;

/// What a person granted, changed or took back, as the person's device states it.
///
/// An entry is signed, so it has exactly these fields: one that nobody understands would be agreed to by
/// nobody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerEntry {
    /// The version of the format: 1.
    pub v: u64,
    /// Which chain it belongs to.
    pub relation_key: RelationKey,
    /// The agent.
    pub agent_id: AgentId,
    /// The person.
    pub user_id: UserId,
    /// The device that signed it.
    pub device_id: DeviceId,
    /// What the person did.
    pub action: LedgerAction,
    /// Everything that is granted from now on; empty for a revocation.
    #[schemars(length(max = MAX_GRANTED_SCOPES))]
    pub granted_scopes: Vec<ScopeId>,
    /// The manifest that the person saw.
    pub manifest_hash: ManifestHash,
    /// Its version.
    pub manifest_version: u64,
    /// The SHA-256 of the canonical bytes of the entry before, in hexadecimal; `null` for the first.
    #[serde(serialize_with = "write_digest", deserialize_with = "read_digest")]
    #[schemars(with = "Option<ManifestHash>")]
    pub prev: Option<Digest>,
    /// When it was signed.
    pub issued_at: Timestamp,
}

words! {
    /// What a person did.
    LedgerAction {
        /// Began a relation.
        Grant = "grant",
        /// Changed what is granted, or agreed to another manifest.
        Update = "update",
        /// Ended the relation.
        Revoke = "revoke",
    }
}

impl LedgerEntry {
    /// The RFC 8785 form of the entry: what is signed, and what the next entry names the hash of.
    ///
    /// # Errors
    /// If a number is one that no double is.
    pub fn canonical_bytes(&self) -> Result<Vec<u8>, ReadError> {
        // The fields of an entry always can be written down; what fails on an empty text fails closed.
        let text = serde_json::to_vec(self).unwrap_or_default();
        canonicalize(&text)
    }

    /// The SHA-256 of the canonical bytes.
    ///
    /// # Errors
    /// As for [`Self::canonical_bytes`].
    pub fn digest(&self) -> Result<Digest, ReadError> {
        self.canonical_bytes().map(|bytes| Digest::of(&bytes))
    }

    /// Whether this is an entry of the one version there is.
    #[must_use]
    pub fn is_known_version(&self) -> bool {
        self.v == LEDGER_VERSION
    }
}

fn write_digest<S: Serializer>(prev: &Option<Digest>, serializer: S) -> Result<S::Ok, S::Error> {
    prev.map(|digest| digest.to_string()).serialize(serializer)
}

/// `prev` has to be there: leaving it out would be a second way to write the first entry.
fn read_digest<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Digest>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse()).transpose().map_err(de::Error::custom)
}
