//! `GET /h2a/relations`

use assent_ids::AgentId;
use assent_protocol::a2h::Page;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Operation, Tag,
    model::{Relation, RelationState},
    value::{Cursor, Limit},
};

/// Lists the relations of the caller.
#[derive(Clone, Copy, Debug)]
pub struct ListRelations;

impl Operation for ListRelations {
    const ID: &'static str = "list_relations";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/h2a/relations";
    const ACCESS: Access = Access::USER_OR_AGENT;
    const TAG: Tag = Tag::Relations;
    const SUMMARY: &'static str = "List relations";
    const DESCRIPTION: &'static str = "\
        A person sees the own ones; an agent those with it; the owner of `agent_id` those with \
        that agent. The newest come first.";
    const IDEMPOTENT: bool = true;

    type Path = ();
    type Query = RelationsQuery;
    type Body = ();
    type Reply = Page<Relation>;
}

/// Which relations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RelationsQuery {
    /// Only those with this agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentId>,
    /// Only those in this state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<RelationState>,
    /// Where to go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
    /// How many at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}
