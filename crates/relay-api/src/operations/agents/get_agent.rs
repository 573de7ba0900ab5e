//! `GET /agents/{agent_id}`

use http::Method;

use crate::{Access, Header, Operation, Tag, model::Agent, path::AgentPath};

/// Gets an agent with its manifest.
#[derive(Clone, Copy, Debug)]
pub struct GetAgent;

impl Operation for GetAgent {
    const ID: &'static str = "get_agent";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/agents/{agent_id}";
    const ACCESS: Access = Access::USER_OR_AGENT;
    const TAG: Tag = Tag::Agents;
    const SUMMARY: &'static str = "Get an agent";
    const DESCRIPTION: &'static str =
        "The header `ETag` holds the hash of the manifest in quotation marks, for `If-Match`.";
    const RESPONSE_HEADERS: &'static [Header] = &[Header {
        name: "ETag",
        description: "The hash of the manifest in quotation marks.",
        pattern: "^\"[0-9a-f]{64}\"$",
    }];
    const IDEMPOTENT: bool = true;

    type Path = AgentPath;
    type Query = ();
    type Body = ();
    type Reply = Agent;
}
