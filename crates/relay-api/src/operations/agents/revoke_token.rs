//! `DELETE /agents/{agent_id}/tokens/{token_id}`

use assent_ids::{AgentId, TokenId};
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Access, Credential, Needs, Operation, Tag, model::Empty};

/// Revokes a token of an agent.
#[derive(Clone, Copy, Debug)]
pub struct RevokeToken;

impl Operation for RevokeToken {
    const ID: &'static str = "revoke_token";
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = "/agents/{agent_id}/tokens/{token_id}";
    const ACCESS: Access = Access::new(Credential::User, Needs::OwnerOfAgent);
    const TAG: Tag = Tag::Agents;
    const SUMMARY: &'static str = "Revoke a token";
    const DESCRIPTION: &'static str = "\
        It means nothing from now on; sockets that were opened with it are closed with \
        `session.invalidated`.";
    const IDEMPOTENT: bool = true;

    type Path = TokenPath;
    type Query = ();
    type Body = ();
    type Reply = Empty;
}

/// `{agent_id}` and `{token_id}`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TokenPath {
    /// The agent.
    pub agent_id: AgentId,
    /// The token.
    pub token_id: TokenId,
}
