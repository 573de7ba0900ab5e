//! Publishes the manifest of an agent.

use assent_relay_api::{
    model::ManifestText,
    operations::agents::{AgentChanges, UpdateAgent, UpdatedAgent},
    path::AgentPath,
};
use serde_json::{Map, Value};

use crate::{Agent, AgentError};

impl Agent {
    /// Publishes a manifest. If a change is breaking, people are asked again.
    ///
    /// # Errors
    /// If the agent has no token for it, or the relay refuses the manifest.
    pub async fn publish(&self, manifest: Map<String, Value>) -> Result<UpdatedAgent, AgentError> {
        let client = self.shared.publisher.as_ref().ok_or(AgentError::NoManifestToken)?;
        let path = AgentPath { agent_id: self.shared.agent_id };
        let changes = AgentChanges {
            capability_manifest: Some(ManifestText(manifest)),
            ..AgentChanges::default()
        };
        Ok(client.call::<UpdateAgent>(&path, &(), &changes).await?)
    }
}
