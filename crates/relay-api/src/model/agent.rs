//! Agents, as others see them.

use assent_ids::{AgentId, ManifestHash, ScopeId, ToolName};
use assent_protocol::{
    a2h::CapabilityManifest,
    wire::{Open, Timestamp},
    words,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ManifestFinding;
use crate::Reply;

/// An agent. Fields that only its owner may see are absent for other callers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Agent {
    /// Which agent.
    pub agent_id: AgentId,
    /// What it is called.
    pub name: String,
    /// What it is for, in its owner's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub description: Option<String>,
    /// What its owner is called.
    pub owner_name: String,
    /// How it gets its messages. A device seals with fewer layers for an agent that keeps no state, and tells
    /// the person so.
    pub connection_mode: Open<ConnectionMode>,
    /// Whether it may be used.
    pub state: Open<AgentState>,
    /// What it declares; `null` if nothing yet.
    #[schemars(with = "Option<CapabilityManifest>")]
    pub capability_manifest: Option<Value>,
    /// The number of that declaration; 0 if there is none.
    pub capability_manifest_version: u64,
    /// The SHA-256 of that declaration; `null` if there is none.
    pub capability_manifest_hash: Option<ManifestHash>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When anything about it last changed.
    pub updated_at: Timestamp,
    /// For the owner: where deliveries go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub webhook_url: Option<String>,
    /// For the owner: where to look whether the agent is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub health_check_url: Option<String>,
    /// For the owner: whether deliveries arrive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Open<WebhookState>")]
    pub webhook_state: Option<Open<WebhookState>>,
    /// For the owner: what there is to say about the declaration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<ManifestFinding>")]
    pub warnings: Option<Vec<ManifestFinding>>,
}

/// An agent in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentSummary {
    /// Which agent.
    pub agent_id: AgentId,
    /// What it is called.
    pub name: String,
    /// What it is for, in its owner's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub description: Option<String>,
    /// What its owner is called.
    pub owner_name: String,
    /// How it gets its messages.
    pub connection_mode: Open<ConnectionMode>,
    /// Whether it may be used.
    pub state: Open<AgentState>,
    /// The number of its declaration; 0 if there is none.
    pub capability_manifest_version: u64,
    /// The SHA-256 of its declaration; `null` if there is none.
    pub capability_manifest_hash: Option<ManifestHash>,
    /// The tools that it declares.
    pub tools: Vec<ToolName>,
    /// The scopes that it declares.
    pub scopes: Vec<ScopeId>,
}

words! {
    /// How an agent gets its messages.
    ConnectionMode {
        /// It keeps a socket open.
        Websocket = "websocket",
        /// It is called.
        Webhook = "webhook",
        /// It asks from time to time.
        Polling = "polling",
    }
}

words! {
    /// Whether an agent may be used.
    AgentState {
        /// It may.
        Active = "active",
        /// An operator suspended it: it sends nothing and no one new can add it.
        Suspended = "suspended",
    }
}

words! {
    /// Whether deliveries to an agent arrive.
    WebhookState {
        /// They do, as far as is known.
        Reachable = "reachable",
        /// The last ones did not. Deliveries wait and are tried again, less often.
        Unreachable = "unreachable",
    }
}

impl Reply for Agent {}
