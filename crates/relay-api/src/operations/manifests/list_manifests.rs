//! `GET /agents/{agent_id}/manifests`

use assent_protocol::a2h::Page;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Credential, Needs, Operation, Tag,
    model::ManifestVersion,
    path::AgentPath,
    value::{Cursor, Limit},
};

/// Lists the manifests that an agent has published, newest first.
#[derive(Clone, Copy, Debug)]
pub struct ListManifests;

impl Operation for ListManifests {
    const ID: &'static str = "list_manifests";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/agents/{agent_id}/manifests";
    const ACCESS: Access = Access::new(Credential::UserOrAgent, Needs::ConcernedByAgent);
    const TAG: Tag = Tag::Manifests;
    const SUMMARY: &'static str = "List the manifests of an agent";
    const IDEMPOTENT: bool = true;

    type Path = AgentPath;
    type Query = ManifestsQuery;
    type Body = ();
    type Reply = Page<ManifestVersion>;
}

/// Which part of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ManifestsQuery {
    /// Where to go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
    /// How many at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}
