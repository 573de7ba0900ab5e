//! `GET /admin/agents`

use assent_ids::{AgentId, UserId};
use assent_protocol::{
    a2h::Page,
    wire::{Open, Timestamp, never_null},
};
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Operation, Reply, Tag,
    model::{AgentState, ConnectionMode, RelationCounts},
    value::{Cursor, Limit, SearchText},
};

/// Lists all agents.
#[derive(Clone, Copy, Debug)]
pub struct ListAllAgents;

impl Operation for ListAllAgents {
    const ID: &'static str = "list_all_agents";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/admin/agents";
    const ACCESS: Access = Access::OPERATOR;
    const TAG: Tag = Tag::Admin;
    const SUMMARY: &'static str = "List all agents";
    const IDEMPOTENT: bool = true;

    type Path = ();
    type Query = AllAgentsQuery;
    type Body = ();
    type Reply = Page<OperatedAgent>;
}

/// Which agents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AllAgentsQuery {
    /// Words to look for in names and descriptions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<SearchText>,
    /// Only those in this state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<AgentState>,
    /// Where to go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
    /// How many at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}

/// An agent, as operators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct OperatedAgent {
    /// Which agent.
    pub agent_id: AgentId,
    /// What it is called.
    pub name: String,
    /// Who owns it.
    pub owner_id: UserId,
    /// What its owner is called.
    pub owner_name: String,
    /// How it gets its messages.
    pub connection_mode: Open<ConnectionMode>,
    /// Whether it may be used.
    pub state: Open<AgentState>,
    /// Why it is suspended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspended_reason: Option<String>,
    /// How many people use it.
    pub relations: RelationCounts,
    /// When it was made.
    pub created_at: Timestamp,
}

impl Reply for OperatedAgent {}
