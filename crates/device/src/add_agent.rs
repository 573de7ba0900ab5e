//! Adding an agent: what it declares is checked, what the person grants is signed.

use assent_ids::{AgentId, ConversationId, ManifestHash, RelationId, ScopeId};
use assent_mailbox::MailboxError;
use assent_sealing::KeyFingerprint;

use crate::{
    AgentOffer, Device, DeviceError, DeviceRelation, RelationStanding, directory::FoundAgent,
    relation_works::SignGrant,
};

/// What the person grants to an agent.
#[derive(Clone, Debug)]
pub struct AddAgent {
    /// The agent.
    pub agent_id: AgentId,
    /// The hash of the manifest that the person saw.
    pub manifest_hash: ManifestHash,
    /// The scopes that the person grants.
    pub granted_scopes: Vec<ScopeId>,
    /// What the keys must be, if the person came by a link that says so.
    pub fingerprint: Option<KeyFingerprint>,
    /// The digest of the offer that the person saw.
    pub view_digest: String,
}

/// An agent that was added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedAgent {
    /// The relation.
    pub relation_id: RelationId,
    /// The conversation of the agent and the person.
    pub conversation_id: ConversationId,
}

impl AgentOffer {
    /// The grant of some of the scopes of this offer, to an agent whose keys were not proved by a link.
    #[must_use]
    pub fn grant(&self, granted_scopes: Vec<ScopeId>) -> AddAgent {
        AddAgent {
            agent_id: self.agent_id,
            manifest_hash: self.manifest_hash.clone(),
            granted_scopes,
            fingerprint: None,
            view_digest: self.view_digest.to_string(),
        }
    }
}

impl Device {
    /// Adds an agent. The grant is stored before it is sent, and sent again after a crash.
    ///
    /// # Errors
    /// If the agent is another one than the person saw, or the relay refuses the grant. If the relay cannot be reached,
    /// the grant is sent as soon as it can.
    pub async fn add_agent(&self, grant: AddAgent) -> Result<AddedAgent, DeviceError> {
        let shared = &self.shared;
        let found = shared.find_agent(grant.agent_id).await?;
        if found.manifest.hash != grant.manifest_hash {
            return Err(DeviceError::ManifestChanged);
        }
        let offer = shared.offer(&found, grant.fingerprint).await?;
        if offer.view_digest.to_string() != grant.view_digest {
            return Err(DeviceError::ViewChanged);
        }
        found.manifest.read()?.check_scopes(&grant.granted_scopes)?;
        let agent_id = grant.agent_id;
        let sign = SignGrant {
            mailbox: shared.mailbox.clone(),
            own: shared.endpoint_and_user()?,
            peer: found.peer.to_json().map_err(MailboxError::from)?.to_vec(),
            relation: new_relation(found, grant),
        };
        shared.database.write(sign).await?;
        shared.sync_ledger(agent_id).await?;
        let known = shared.relation_of(agent_id).await?.established;
        let known = known.ok_or(DeviceError::ChangePending)?;
        Ok(AddedAgent { relation_id: known.relation_id, conversation_id: known.conversation_id })
    }
}

fn new_relation(found: FoundAgent, grant: AddAgent) -> DeviceRelation {
    DeviceRelation {
        agent_id: grant.agent_id,
        agent_name: found.agent.name,
        owner_name: found.agent.owner_name,
        established: None,
        state: RelationStanding::New,
        granted_scopes: grant.granted_scopes,
        revoked_scopes: Vec::new(),
        latest: found.manifest.seen(),
        agreed: found.manifest,
        adopted: None,
        review: None,
        rejected: None,
        changed_keys: None,
        is_verified: grant.fingerprint.is_some(),
        ledger: Vec::new(),
        unsent: None,
    }
}
