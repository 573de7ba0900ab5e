//! Parameters in paths that several operations share.

use assent_ids::{AgentId, ConversationId, DeviceId, RelationId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `{device_id}`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DevicePath {
    /// The device.
    pub device_id: DeviceId,
}

/// `{agent_id}`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentPath {
    /// The agent.
    pub agent_id: AgentId,
}

/// `{relation_id}`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RelationPath {
    /// The relation.
    pub relation_id: RelationId,
}

/// `{conversation_id}`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConversationPath {
    /// The conversation.
    pub conversation_id: ConversationId,
}
