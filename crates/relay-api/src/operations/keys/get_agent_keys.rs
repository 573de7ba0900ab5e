//! `GET /keys/agents/{agent_id}`

use http::Method;

use crate::{Access, Operation, Tag, model::AgentKeys, path::AgentPath};

/// Gets the public keys of an agent.
#[derive(Clone, Copy, Debug)]
pub struct GetAgentKeys;

impl Operation for GetAgentKeys {
    const ID: &'static str = "get_agent_keys";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/keys/agents/{agent_id}";
    const ACCESS: Access = Access::USER_OR_AGENT;
    const TAG: Tag = Tag::Keys;
    const SUMMARY: &'static str = "Get the keys of an agent";
    const DESCRIPTION: &'static str = "`NOT_FOUND` also if the agent has not registered keys yet.";
    const IDEMPOTENT: bool = true;

    type Path = AgentPath;
    type Query = ();
    type Body = ();
    type Reply = AgentKeys;
}
