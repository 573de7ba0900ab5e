//! `POST /admin/agents/{agent_id}/suspend`

use http::Method;

use super::OperatedAgent;
use crate::{Access, Operation, Tag, operations::relations::Suspension, path::AgentPath};

/// Suspends an agent.
#[derive(Clone, Copy, Debug)]
pub struct SuspendAgent;

impl Operation for SuspendAgent {
    const ID: &'static str = "suspend_agent";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/admin/agents/{agent_id}/suspend";
    const ACCESS: Access = Access::OPERATOR;
    const TAG: Tag = Tag::Admin;
    const SUMMARY: &'static str = "Suspend an agent";
    const DESCRIPTION: &'static str =
        "It sends nothing and no one new can add it until it is restored.";
    const IDEMPOTENT: bool = true;
    const BODY_OPTIONAL: bool = true;
    const EXAMPLE: &'static str = include_str!("../relations/suspend_relation.json");

    type Path = AgentPath;
    type Query = ();
    type Body = Suspension;
    type Reply = OperatedAgent;
}
