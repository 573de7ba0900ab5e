//! What the owner of an agent should know about it.

use assent_ids::AgentId;
use assent_protocol::wire::{Object, Open, Timestamp, never_null};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::WebhookState;
use crate::Reply;

/// How an agent is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct AgentTelemetry {
    /// Which agent.
    pub agent_id: AgentId,
    /// What should be looked at, for example that the manifest is large.
    pub warnings: Vec<TelemetryWarning>,
    /// How many people use it.
    pub relations: RelationCounts,
    /// What went through it since it was made.
    pub traffic: Traffic,
    /// When it was last connected or polled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_connected_at: Option<Timestamp>,
    /// Whether deliveries arrive, if the agent is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook: Option<WebhookHealth>,
}

/// Something that the owner should look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TelemetryWarning {
    /// What, for programs, such as `MANIFEST_LARGE`.
    pub code: String,
    /// What, for people.
    pub message: String,
    /// Numbers and names that belong to it.
    #[serde(default)]
    pub params: Object,
    /// Since when.
    pub since: Timestamp,
}

/// How many people use an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RelationCounts {
    /// With an active relation.
    pub active: u64,
    /// With a suspended one.
    pub suspended: u64,
    /// With an active one that waits for the person to agree to the present manifest.
    pub awaiting_reauth: u64,
}

/// What went through an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Traffic {
    /// Messages that it sent.
    pub messages_sent: u64,
    /// Tool calls among them.
    pub tool_calls: u64,
    /// Messages that were sent to it.
    pub messages_received: u64,
}

/// Whether deliveries arrive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct WebhookHealth {
    /// In a word.
    pub state: Open<WebhookState>,
    /// How many attempts have failed since one last succeeded.
    pub consecutive_failures: u64,
    /// Deliveries that wait.
    pub pending: u64,
    /// When one last arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_delivered_at: Option<Timestamp>,
    /// What went wrong last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
}

impl Reply for AgentTelemetry {}
