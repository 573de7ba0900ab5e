//! `POST /admin/agents/{agent_id}/restore`

use http::Method;

use super::OperatedAgent;
use crate::{Access, Operation, Tag, path::AgentPath};

/// Restores a suspended agent.
#[derive(Clone, Copy, Debug)]
pub struct RestoreAgent;

impl Operation for RestoreAgent {
    const ID: &'static str = "restore_agent";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/admin/agents/{agent_id}/restore";
    const ACCESS: Access = Access::OPERATOR;
    const TAG: Tag = Tag::Admin;
    const SUMMARY: &'static str = "Restore an agent";
    const IDEMPOTENT: bool = true;

    type Path = AgentPath;
    type Query = ();
    type Body = ();
    type Reply = OperatedAgent;
}
