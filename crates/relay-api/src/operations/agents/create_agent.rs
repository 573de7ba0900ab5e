//! `POST /agents`

use assent_ids::{AgentId, ManifestHash, TokenId};
use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Operation, Reply, Tag,
    model::{ConnectionMode, ManifestFinding, ManifestText},
    value::{Description, Name, Secret, WebAddress},
};

/// Makes an agent that belongs to the caller.
#[derive(Clone, Copy, Debug)]
pub struct CreateAgent;

impl Operation for CreateAgent {
    const ID: &'static str = "create_agent";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/agents";
    const ACCESS: Access = Access::USER;
    const TAG: Tag = Tag::Agents;
    const SUMMARY: &'static str = "Make an agent";
    const DESCRIPTION: &'static str = "\
        The token and the secret of the webhook are shown here and never again. The first token \
        has no scope beyond sending and receiving.";
    const SUCCESS: u16 = 201;
    const ERRORS: &'static [ApiCode] = &[
        ApiCode::AgentLimit,
        ApiCode::InvalidManifest,
        ApiCode::ManifestTooLarge,
        ApiCode::WebhookUrlRefused,
    ];
    const IDEMPOTENT: bool = false;
    const BODY_LIMIT: usize = 1024 * 1024;
    const EXAMPLE: &'static str = include_str!("create_agent.json");

    type Path = ();
    type Query = ();
    type Body = NewAgent;
    type Reply = CreatedAgent;
}

/// An agent to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewAgent {
    /// What it is called.
    pub name: Name,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Description>,
    /// How it gets its messages; `websocket` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection_mode: Option<ConnectionMode>,
    /// Where deliveries go; required if it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook_url: Option<WebAddress>,
    /// Where to look whether it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health_check_url: Option<WebAddress>,
    /// What it declares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability_manifest: Option<ManifestText>,
}

/// An agent that was just made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CreatedAgent {
    /// Which agent.
    pub agent_id: AgentId,
    /// What it authenticates with: `hsk_` and 40 letters and digits.
    pub token: Secret,
    /// The name of that token.
    pub token_id: TokenId,
    /// The secret that deliveries are signed with: `whsec_` and base64. Only if it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Secret")]
    pub webhook_secret: Option<Secret>,
    /// The number of its declaration; 0 if there is none.
    pub capability_manifest_version: u64,
    /// The SHA-256 of its declaration; `null` if there is none.
    pub capability_manifest_hash: Option<ManifestHash>,
    /// What there is to say about the declaration.
    pub warnings: Vec<ManifestFinding>,
}

impl Reply for CreatedAgent {}
