//! `POST /agents/{agent_id}/keys/register`

use assent_ids::AgentId;
use assent_protocol::{a2h::ApiCode, wire::Timestamp};
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Credential, Needs, Operation, Reply, Tag,
    model::{KemPrekey, MAX_PREKEYS, OneTimePrekey, SignedPrekey},
    path::AgentPath,
    value::{List, PublicKey},
};

/// Registers the public keys of the agent that calls.
#[derive(Clone, Copy, Debug)]
pub struct RegisterAgentKeys;

impl Operation for RegisterAgentKeys {
    const ID: &'static str = "register_agent_keys";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/agents/{agent_id}/keys/register";
    const ACCESS: Access = Access::new(Credential::Agent, Needs::AgentItself);
    const TAG: Tag = Tag::Agents;
    const SUMMARY: &'static str = "Register the keys of an agent";
    const DESCRIPTION: &'static str = "\
        Other keys than before replace them, and the prekeys with them; people with an active \
        relation get the event `agent.keys_changed`. The same keys again add prekeys.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::InvalidKey];
    const IDEMPOTENT: bool = true;
    const EXAMPLE: &'static str = include_str!("register_agent_keys.json");

    type Path = AgentPath;
    type Query = ();
    type Body = NewAgentKeys;
    type Reply = RegisteredKeys;
}

/// The keys of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewAgentKeys {
    /// Its X25519 key.
    pub public_key: PublicKey,
    /// Its Ed25519 key.
    pub signing_public_key: PublicKey,
    /// The prekey that serves many times. An agent without state has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_prekey: Option<SignedPrekey>,
    /// The post-quantum prekey.
    pub kem_prekey: KemPrekey,
    /// Prekeys that are handed out once each.
    #[serde(default)]
    pub one_time_prekeys: List<OneTimePrekey, 0, MAX_PREKEYS>,
}

/// The keys of an agent, and how many prekeys it has left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RegisteredKeys {
    /// Which agent.
    pub agent_id: AgentId,
    /// Its X25519 key.
    pub public_key: PublicKey,
    /// Its Ed25519 key.
    pub signing_public_key: PublicKey,
    /// When these keys were registered.
    pub registered_at: Timestamp,
    /// How many one-time prekeys the relay has.
    pub one_time_prekeys: u64,
}

impl Reply for RegisteredKeys {}
