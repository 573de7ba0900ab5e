//! Adding an agent: what it declares is checked, what the person grants is signed.

use assent_ids::{
    AgentId, Clock as _, ConversationId, ManifestHash, RelationId, ScopeId, SystemClock,
};
use assent_mailbox::{SyncDelegate as _, agent_peer};
use assent_manifest::{CheckOptions, check};
use assent_protocol::{a2h::CapabilityManifest, wire::Timestamp};
use assent_relay_api::{
    ledger::{LEDGER_VERSION, LedgerAction, LedgerEntry, RelationKey},
    model::{Agent, AgentKeys, ConnectionMode},
    operations::{
        agents::GetAgent,
        keys::GetAgentKeys,
        relations::{CreateRelation, NewRelation},
    },
    path::AgentPath,
};
use assent_sealing::{Layers, Peer};

use crate::{
    Device, DeviceError, DeviceRelation,
    relation::Established,
    works::{PutRelation, SignGrant},
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
}

/// An agent that was added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedAgent {
    /// The relation.
    pub relation_id: RelationId,
    /// The conversation of the agent and the person.
    pub conversation_id: ConversationId,
}

impl Device {
    /// Fetches what an agent declares now, and checks it.
    ///
    /// # Errors
    /// If there is no such agent, or its manifest is not usable.
    pub async fn look_up_agent(&self, agent_id: AgentId) -> Result<Agent, DeviceError> {
        let client = self.shared.account()?.client();
        let agent = client.call::<GetAgent>(&AgentPath { agent_id }, &(), &()).await?;
        checked_manifest(&agent)?;
        Ok(agent)
    }

    /// Adds an agent. The grant is stored before it is sent, and sent again after a crash.
    ///
    /// # Errors
    /// If the agent has published another manifest meanwhile, or the relay refuses the grant.
    pub async fn add_agent(&self, grant: AddAgent) -> Result<AddedAgent, DeviceError> {
        let client = self.shared.account()?.client();
        let path = AgentPath { agent_id: grant.agent_id };
        let agent = client.call::<GetAgent>(&path, &(), &()).await?;
        let manifest = checked_manifest(&agent)?;
        if agent.capability_manifest_hash.as_ref() != Some(&grant.manifest_hash) {
            return Err(DeviceError::ManifestChanged);
        }
        check_scopes(&manifest, &grant.granted_scopes)?;
        let keys = client.call::<GetAgentKeys>(&path, &(), &()).await?;
        let peer = peer_of(&agent, &keys)?;
        let text = agent.capability_manifest.as_ref().map(ToString::to_string).unwrap_or_default();
        let sign = SignGrant {
            mailbox: self.shared.mailbox.clone(),
            entry: self.new_entry(&agent, &grant)?,
            agent_name: agent.name,
            manifest: text,
            peer: peer.to_json().map_err(assent_mailbox::MailboxError::from)?.to_vec(),
        };
        let relation = self.shared.database.write(sign).await?;
        self.send_grant(relation).await
    }

    fn new_entry(&self, agent: &Agent, grant: &AddAgent) -> Result<LedgerEntry, DeviceError> {
        let own = self.shared.endpoint_and_user()?;
        let (agent_id, user_id) = (grant.agent_id, own.user_id);
        Ok(LedgerEntry {
            v: LEDGER_VERSION,
            relation_key: RelationKey { user_id, agent_id },
            agent_id,
            user_id,
            device_id: own.device_id,
            action: LedgerAction::Grant,
            granted_scopes: grant.granted_scopes.clone(),
            manifest_hash: grant.manifest_hash.clone(),
            manifest_version: agent.capability_manifest_version,
            prev: None,
            issued_at: Timestamp::from(SystemClock.now()),
        })
    }

    /// Sends a signed grant to the relay and makes the tools of the agent available.
    pub(crate) async fn send_grant(
        &self,
        mut relation: DeviceRelation,
    ) -> Result<AddedAgent, DeviceError> {
        let client = self.shared.account()?.client();
        let scopes = relation.granted_scopes.clone();
        let new = NewRelation {
            agent_id: relation.agent_id,
            granted_scopes: scopes
                .try_into()
                .map_err(|_| DeviceError::Input("too many scopes".to_owned()))?,
            manifest_hash: relation.manifest_hash.clone(),
            ledger_entry: relation.ledger_entry.clone(),
        };
        let granted = client.call::<CreateRelation>(&(), &(), &new).await?;
        let (relation_id, conversation_id) = (granted.relation_id, granted.conversation_id);
        relation.established = Some(Established { relation_id, conversation_id });
        let put = PutRelation(self.shared.mailbox.clone(), relation);
        self.shared.database.write(put).await?;
        self.shared.apply_relations().await?;
        Ok(AddedAgent { relation_id, conversation_id })
    }
}

/// The manifest of an agent, if it is usable and has the hash that the relay says.
fn checked_manifest(agent: &Agent) -> Result<CapabilityManifest, DeviceError> {
    let unusable = |reason: &str| DeviceError::UnusableAgent(reason.to_owned());
    let manifest = agent.capability_manifest.as_ref();
    let manifest = manifest.ok_or_else(|| unusable("it has published no manifest"))?;
    let report = check(manifest.to_string().as_bytes(), CheckOptions::default());
    if let Some(error) = report.errors.first() {
        return Err(unusable(&format!("its manifest is not valid: {}", error.message)));
    }
    let hash = report.hash.map(|hash| hash.to_string());
    if hash != agent.capability_manifest_hash.as_ref().map(|hash| hash.to_string()) {
        return Err(unusable("the relay gives another hash than its manifest has"));
    }
    serde_json::from_value(manifest.clone()).map_err(|error| unusable(&error.to_string()))
}

fn check_scopes(manifest: &CapabilityManifest, scopes: &[ScopeId]) -> Result<(), DeviceError> {
    match scopes.iter().find(|scope| manifest.scope(scope).is_none()) {
        Some(unknown) => Err(DeviceError::UnknownScope(unknown.to_string())),
        None => Ok(()),
    }
}

/// The agent as a peer. How it connects decides which layers protect its messages.
fn peer_of(agent: &Agent, keys: &AgentKeys) -> Result<Peer, DeviceError> {
    let layers = match agent.connection_mode.known() {
        Some(ConnectionMode::Websocket | ConnectionMode::Polling) => Layers::Full,
        Some(ConnectionMode::Webhook) => {
            let kem = keys.kem_prekey.as_ref().ok_or_else(|| {
                DeviceError::UnusableAgent("it has published no post-quantum key".to_owned())
            })?;
            Layers::Stateless { kem_key: kem.public_key.as_bytes().to_vec() }
        }
        _ => {
            return Err(DeviceError::UnusableAgent("it connects in an unknown way".to_owned()));
        }
    };
    Ok(agent_peer(keys, layers))
}
