//! `GET /agents`

use assent_ids::ScopeId;
use assent_protocol::a2h::Page;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Operation, Tag,
    model::AgentSummary,
    value::{Cursor, Limit, SearchText},
};

/// Searches agents by their names, descriptions, tools and scopes.
#[derive(Clone, Copy, Debug)]
pub struct SearchAgents;

impl Operation for SearchAgents {
    const ID: &'static str = "search_agents";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/agents";
    const ACCESS: Access = Access::USER_OR_AGENT;
    const TAG: Tag = Tag::Agents;
    const SUMMARY: &'static str = "Search agents";
    const DESCRIPTION: &'static str = "\
        Without `q` the newest come first, with it the best matches. Suspended agents are shown \
        only to their owners.";
    const IDEMPOTENT: bool = true;

    type Path = ();
    type Query = AgentSearch;
    type Body = ();
    type Reply = Page<AgentSummary>;
}

/// What to search for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentSearch {
    /// Words to look for in names, descriptions, tools and scopes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<SearchText>,
    /// Only agents that declare this scope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<ScopeId>,
    /// `true` for only those that the caller owns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owned: Option<bool>,
    /// Where to go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
    /// How many at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}
