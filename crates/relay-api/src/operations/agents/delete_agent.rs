//! `DELETE /agents/{agent_id}`

use http::Method;

use crate::{Access, Credential, Needs, Operation, Tag, model::Empty, path::AgentPath};

/// Deletes an agent.
#[derive(Clone, Copy, Debug)]
pub struct DeleteAgent;

impl Operation for DeleteAgent {
    const ID: &'static str = "delete_agent";
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = "/agents/{agent_id}";
    const ACCESS: Access = Access::new(Credential::User, Needs::OwnerOfAgent);
    const TAG: Tag = Tag::Agents;
    const SUMMARY: &'static str = "Delete an agent";
    const DESCRIPTION: &'static str =
        "Its relations end, its tokens mean nothing from now on, and its sockets are closed.";
    const IDEMPOTENT: bool = true;

    type Path = AgentPath;
    type Query = ();
    type Body = ();
    type Reply = Empty;
}
