//! `GET /agents/{agent_id}/manifests/diff`

use assent_ids::ScopeId;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Credential, Needs, Operation, Reply, Tag, model::ManifestChange, path::AgentPath,
};

/// Tells what changed between two manifests of an agent.
#[derive(Clone, Copy, Debug)]
pub struct DiffManifests;

impl Operation for DiffManifests {
    const ID: &'static str = "diff_manifests";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/agents/{agent_id}/manifests/diff";
    const ACCESS: Access = Access::new(Credential::UserOrAgent, Needs::ConcernedByAgent);
    const TAG: Tag = Tag::Manifests;
    const SUMMARY: &'static str = "Compare two manifests";
    const DESCRIPTION: &'static str = "\
        Every change has the rule by which it is breaking or not, and a breaking change of an \
        input schema has an input that worked before and is refused now.";
    const IDEMPOTENT: bool = true;

    type Path = AgentPath;
    type Query = DiffQuery;
    type Body = ();
    type Reply = ManifestDiff;
}

/// Which two manifests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiffQuery {
    /// The version of the earlier manifest; the one before `to` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// The version of the later manifest; the present one if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
}

/// What changed between two manifests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ManifestDiff {
    /// The version of the earlier manifest.
    pub from: u64,
    /// The version of the later manifest.
    pub to: u64,
    /// Whether people have to be asked again.
    pub breaking: bool,
    /// Everything that is different.
    pub changes: Vec<ManifestChange>,
    /// Those of the changes that are breaking.
    pub breaking_changes: Vec<ManifestChange>,
    /// The scopes that people have to agree to again.
    pub scopes_requiring_reauth: Vec<ScopeId>,
}

impl Reply for ManifestDiff {}
