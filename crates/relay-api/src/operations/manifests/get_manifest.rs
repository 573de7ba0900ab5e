//! `GET /agents/{agent_id}/manifests/{version}`

use assent_ids::AgentId;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Access, Credential, Needs, Operation, Tag, model::PublishedManifest};

/// Gets a manifest that an agent has published.
#[derive(Clone, Copy, Debug)]
pub struct GetManifest;

impl Operation for GetManifest {
    const ID: &'static str = "get_manifest";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/agents/{agent_id}/manifests/{version}";
    const ACCESS: Access = Access::new(Credential::UserOrAgent, Needs::ConcernedByAgent);
    const TAG: Tag = Tag::Manifests;
    const SUMMARY: &'static str = "Get a manifest by its version";
    const IDEMPOTENT: bool = true;

    type Path = ManifestPath;
    type Query = ();
    type Body = ();
    type Reply = PublishedManifest;
}

/// `{agent_id}` and `{version}`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ManifestPath {
    /// The agent.
    pub agent_id: AgentId,
    /// The version of the manifest.
    pub version: u64,
}
