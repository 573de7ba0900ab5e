//! `GET /agents/{agent_id}/tokens`

use assent_protocol::a2h::Page;
use http::Method;

use crate::{Access, Credential, Needs, Operation, Tag, model::AgentToken, path::AgentPath};

/// Lists the tokens of an agent, without their secrets.
#[derive(Clone, Copy, Debug)]
pub struct ListTokens;

impl Operation for ListTokens {
    const ID: &'static str = "list_tokens";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/agents/{agent_id}/tokens";
    const ACCESS: Access = Access::new(Credential::User, Needs::OwnerOfAgent);
    const TAG: Tag = Tag::Agents;
    const SUMMARY: &'static str = "List tokens";
    const IDEMPOTENT: bool = true;

    type Path = AgentPath;
    type Query = ();
    type Body = ();
    type Reply = Page<AgentToken>;
}
