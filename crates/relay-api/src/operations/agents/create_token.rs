//! `POST /agents/{agent_id}/tokens`

use assent_ids::TokenId;
use assent_protocol::{
    a2h::ApiCode,
    wire::{Open, Timestamp},
};
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Credential, Needs, Operation, Reply, Tag,
    model::TokenScope,
    path::AgentPath,
    value::{List, Name, Secret},
};

/// Makes another token for an agent.
#[derive(Clone, Copy, Debug)]
pub struct CreateToken;

impl Operation for CreateToken {
    const ID: &'static str = "create_token";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/agents/{agent_id}/tokens";
    const ACCESS: Access = Access::new(Credential::User, Needs::OwnerOfAgent);
    const TAG: Tag = Tag::Agents;
    const SUMMARY: &'static str = "Make a token";
    const DESCRIPTION: &'static str =
        "The token is shown here and never again. An agent has at most ten.";
    const SUCCESS: u16 = 201;
    const ERRORS: &'static [ApiCode] = &[ApiCode::Conflict];
    const IDEMPOTENT: bool = false;
    const EXAMPLE: &'static str = include_str!("create_token.json");

    type Path = AgentPath;
    type Query = ();
    type Body = NewToken;
    type Reply = CreatedToken;
}

/// A token to be made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewToken {
    /// What it may be used for beyond sending and receiving.
    #[serde(default)]
    pub scopes: List<TokenScope, 0, 16>,
    /// What to call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
}

/// A token that was just made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CreatedToken {
    /// Which token.
    pub token_id: TokenId,
    /// The token: `hsk_` and 40 letters and digits.
    pub token: Secret,
    /// What it may be used for beyond sending and receiving.
    pub scopes: Vec<Open<TokenScope>>,
    /// When it was made.
    pub created_at: Timestamp,
}

impl Reply for CreatedToken {}
