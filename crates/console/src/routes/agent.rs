//! An agent, as replies name it.

use assent_device::{AgentKeysView, DeviceRelation};
use assent_ids::AgentId;
use serde::Serialize;

/// An agent, as replies name it.
#[derive(Serialize)]
pub(super) struct AgentReply {
    agent_id: AgentId,
    name: String,
    /// Whether the keys were compared, or proved by a link.
    verified: bool,
}

impl AgentReply {
    pub(super) fn of(relation: &DeviceRelation, keys: &AgentKeysView) -> Self {
        let (agent_id, name) = (relation.agent_id, relation.agent_name.clone());
        Self { agent_id, name, verified: keys.is_verified }
    }
}

impl From<&AgentKeysView> for AgentReply {
    fn from(keys: &AgentKeysView) -> Self {
        let (agent_id, name) = (keys.agent_id, keys.agent_name.clone());
        Self { agent_id, name, verified: keys.is_verified }
    }
}
