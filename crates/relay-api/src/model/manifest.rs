//! What agents declare, and how it changes.

use std::borrow::Cow;

use assent_ids::ManifestHash;
use assent_protocol::{
    a2h::CapabilityManifest,
    wire::{Open, Timestamp},
    words,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Reply;

/// A submitted capability manifest. It is an object, and may be invalid in any other way: it is checked as a
/// whole, so that its author sees all problems at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ManifestText(pub Map<String, Value>);

impl JsonSchema for ManifestText {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        CapabilityManifest::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<CapabilityManifest>()
    }
}

/// Something to say about a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ManifestFinding {
    /// Its stable name; each has a page.
    pub code: String,
    /// The place in the manifest, as a JSON Pointer.
    pub path: String,
    /// What it is and what to do, in a sentence.
    pub message: String,
}

/// Something that is different in a later manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ManifestChange {
    /// What was done to the document, such as `tool_added`.
    pub kind: String,
    /// Where: in the later manifest, or in the earlier one for something that is gone.
    pub path: String,
    /// Why it is breaking or not, such as `input-narrowed`; each rule has a page.
    pub rule: String,
    /// Whether people have to be asked again.
    pub breaking: bool,
    /// What stood there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<Value>,
    /// What stands there now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<Value>,
    /// An input that the earlier manifest accepts and the later one refuses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Value>,
    /// The change in a sentence.
    pub summary: String,
}

/// A manifest in the history of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ManifestVersion {
    /// Its number. The first is 1 and there are no holes.
    pub version: u64,
    /// The SHA-256 of its canonical form.
    pub hash: ManifestHash,
    /// The length of its canonical form.
    pub size_bytes: u64,
    /// Whether people had to be asked again.
    pub breaking: bool,
    /// Who published it.
    pub published_by: Open<PublishedBy>,
    /// When it was published.
    pub published_at: Timestamp,
}

words! {
    /// Who published a manifest.
    PublishedBy {
        /// The owner of the agent.
        Owner = "owner",
        /// The agent itself, with a token that has the scope `manifest:write`.
        Agent = "agent",
    }
}

/// A manifest with its place in the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PublishedManifest {
    /// Its number.
    pub version: u64,
    /// The SHA-256 of its canonical form.
    pub hash: ManifestHash,
    /// When it was published.
    pub published_at: Timestamp,
    /// The manifest.
    #[schemars(with = "CapabilityManifest")]
    pub capability_manifest: Value,
}

impl Reply for PublishedManifest {}
