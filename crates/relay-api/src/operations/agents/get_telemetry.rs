//! `GET /agents/{agent_id}/telemetry`

use http::Method;

use crate::{Access, Credential, Needs, Operation, Tag, model::AgentTelemetry, path::AgentPath};

/// Tells how an agent is doing.
#[derive(Clone, Copy, Debug)]
pub struct GetTelemetry;

impl Operation for GetTelemetry {
    const ID: &'static str = "get_telemetry";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/agents/{agent_id}/telemetry";
    const ACCESS: Access = Access::new(Credential::UserOrAgent, Needs::OwnerOrAgent);
    const TAG: Tag = Tag::Agents;
    const SUMMARY: &'static str = "See how an agent is doing";
    const IDEMPOTENT: bool = true;

    type Path = AgentPath;
    type Query = ();
    type Body = ();
    type Reply = AgentTelemetry;
}
