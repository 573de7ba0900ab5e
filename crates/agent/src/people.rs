//! What an agent knows about itself and about people.

use assent_ids::{ConversationId, DeviceId, ScopeId, UserId};
use assent_relay_api::{operations::relations::GetRelation, path::RelationPath};
use assent_sealing::{AgentLink, Endpoint, KeyFingerprint, SafetyNumber};

use crate::{
    Agent, AgentError, RelationSummary,
    works::{AllRelations, DevicesOf, LoadOwnState},
};

/// A device of a person, as the agent knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonDevice {
    /// The device.
    pub device_id: DeviceId,
    /// What the agent and the person compare.
    pub safety_number: SafetyNumber,
    /// Whether the relay has handed out other keys than before. Nothing is sent to such a device.
    pub keys_have_changed: bool,
}

impl Agent {
    /// The link with which people add this agent. It holds the fingerprint of the agent's keys.
    ///
    /// # Errors
    /// If the state of the agent cannot be read.
    pub async fn link(&self) -> Result<AgentLink, AgentError> {
        let own = self.shared.database.write(LoadOwnState(self.shared.mailbox.clone())).await?;
        Ok(AgentLink {
            agent: self.shared.agent_id,
            relay: self.shared.relay.parse().ok(),
            fingerprint: Some(KeyFingerprint::of(&own.keys)),
        })
    }

    /// The relations with people, also those that have ended.
    ///
    /// # Errors
    /// If the state of the agent cannot be read.
    pub async fn relations(&self) -> Result<Vec<RelationSummary>, AgentError> {
        Ok(self.shared.database.read(AllRelations).await?)
    }

    /// The granted scopes of a conversation that are denied until the person agrees to the present manifest.
    ///
    /// # Errors
    /// If there is no such conversation, or the relay cannot be reached.
    pub async fn scopes_requiring_reauth(
        &self,
        conversation: ConversationId,
    ) -> Result<Vec<ScopeId>, AgentError> {
        let relations = self.relations().await?;
        let relation = relations.iter().find(|known| known.conversation_id == conversation);
        let relation = relation.ok_or(AgentError::UnknownConversation(conversation))?;
        let path = RelationPath { relation_id: relation.relation_id };
        let relation = self.shared.client.call::<GetRelation>(&path, &(), &()).await?;
        Ok(relation.scopes_requiring_reauth)
    }

    /// The devices of a person who has a relation with the agent.
    ///
    /// # Errors
    /// If there is no active relation, or the person's device cannot be verified.
    pub async fn devices_of(&self, person: UserId) -> Result<Vec<PersonDevice>, AgentError> {
        let relations = self.relations().await?;
        let is_theirs = |relation: &&RelationSummary| relation.user_id == person;
        let mut theirs: Vec<_> = relations.iter().filter(is_theirs).collect();
        theirs.sort_by_key(|relation| !relation.is_active);
        let relation = theirs.first().ok_or(AgentError::UnknownPerson(person))?;
        match self.shared.recipients(relation.conversation_id).await {
            // What is known about the devices is the answer.
            Ok(_) | Err(AgentError::KeysChanged | AgentError::RelationInactive) => {}
            Err(error) => return Err(error),
        }
        let mailbox = self.shared.mailbox.clone();
        let own = self.shared.database.write(LoadOwnState(mailbox.clone())).await?;
        let me = (Endpoint::Agent(self.shared.agent_id), &own.keys);
        let peers = self.shared.database.read(DevicesOf(mailbox, person)).await?;
        let devices = peers.into_iter().filter_map(|peer| match peer.endpoint() {
            Endpoint::Device(device_id) => Some(PersonDevice {
                device_id,
                safety_number: SafetyNumber::new(me, (peer.endpoint(), peer.keys())),
                keys_have_changed: peer.has_changed(),
            }),
            Endpoint::Agent(_) => None,
        });
        Ok(devices.collect())
    }

    /// The number that the agent and the person compare, for the device that the agent sends to.
    ///
    /// # Errors
    /// As for [`Self::devices_of`].
    pub async fn safety_number(&self, person: UserId) -> Result<SafetyNumber, AgentError> {
        let devices = self.devices_of(person).await?;
        devices.into_iter().next().map(|device| device.safety_number).ok_or(AgentError::NoDevice)
    }
}
