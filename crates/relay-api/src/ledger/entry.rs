//! One entry of a ledger.

use assent_ids::{AgentId, DeviceId, ManifestHash, ScopeId, UserId};
use assent_json::{Digest, ReadError, canonicalize};
use assent_protocol::{wire::Timestamp, words};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{LEDGER_VERSION, RelationKey};
use crate::value::Sha256;

/// The most scopes that one entry grants.
pub const MAX_GRANTED_SCOPES: usize = 256;

/// What a person granted, changed or took back, as the person's device states it.
///
/// An entry is signed, so it has exactly these fields: the meaning of an unknown field
/// would not be part of the agreement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = every_field_is_required)]
pub struct LedgerEntry {
    /// The version of the format: 1.
    #[schemars(extend("const" = LEDGER_VERSION))]
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
    #[serde(with = "required_digest")]
    #[schemars(with = "Option<Sha256>")]
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

fn every_field_is_required(schema: &mut Schema) {
    let fields = schema.get("properties").and_then(Value::as_object);
    let names: Vec<Value> =
        fields.into_iter().flat_map(|all| all.keys().cloned()).map(Value::from).collect();
    schema.insert("required".to_owned(), names.into());
}

/// `prev` has to be there, also as `null`: leaving it out would be a second way to write the first entry.
mod required_digest {
    use assent_json::Digest;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::value::Sha256;

    pub(super) fn serialize<S: Serializer>(
        digest: &Option<Digest>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        digest.map(Sha256).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Digest>, D::Error> {
        Ok(Option::<Sha256>::deserialize(deserializer)?.map(|digest| digest.0))
    }
}
