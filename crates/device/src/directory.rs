//! What an agent declares and how it can be reached, before the person adds it.

use assent_ids::{AgentId, ManifestHash, ScopeId};
use assent_json::{Digest, canonicalize};
use assent_mailbox::SyncDelegate as _;
use assent_protocol::{
    a2h::{Page, Sensitivity},
    wire::Open,
};
use assent_relay_api::{
    model::{Agent, AgentKeys, AgentState, AgentSummary, ConnectionMode, Device as RelayDevice},
    operations::{
        accounts::ListDevices,
        agents::{AgentSearch, GetAgent, SearchAgents},
        keys::GetAgentKeys,
    },
    path::AgentPath,
};
use assent_sealing::{AgentLink, Endpoint, KeyFingerprint, Layers, Peer, SafetyNumber};
use serde_json::{Value, json};

use crate::{
    Device, DeviceError,
    agent_manifest::{AgentManifest, ReadManifest},
    device::Shared,
    tools,
    works::OwnKeys,
};

/// An agent as it is shown to the person before it is added, or before what it may do is changed.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentOffer {
    /// The agent.
    pub agent_id: AgentId,
    /// What it is called.
    pub name: String,
    /// What it is for, in its owner's words.
    pub description: Option<String>,
    /// What its owner is called.
    pub owner_name: String,
    /// Whether an operator of the relay has suspended it.
    pub is_suspended: bool,
    /// The version of its manifest.
    pub manifest_version: u64,
    /// The hash of its manifest, which this device has computed.
    pub manifest_hash: ManifestHash,
    /// The manifest.
    pub manifest: Value,
    /// The scopes that it declares.
    pub scopes: Vec<OfferedScope>,
    /// The tools that it declares.
    pub tools: Vec<OfferedTool>,
    /// Whether messages go through a session; if not, they are sealed one by one.
    pub has_sessions: bool,
    /// Whether a link has proved its keys.
    pub is_verified: bool,
    /// The number that the person can compare with the agent's owner.
    pub safety_number: SafetyNumber,
    /// The digest of everything that is agreed to.
    pub view_digest: Digest,
}

/// A scope that an agent declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedScope {
    /// The id.
    pub id: ScopeId,
    /// What the agent calls it.
    pub label_fallback: Option<String>,
    /// How the agent describes it.
    pub description_fallback: Option<String>,
    /// The highest of what the manifest and the presets say.
    pub sensitivity: Sensitivity,
}

/// A tool that an agent declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedTool {
    /// The name.
    pub name: String,
    /// How the agent describes it.
    pub description: Option<String>,
    /// The scope that it needs.
    pub scope: ScopeId,
    /// What of this device serves it; `None` if nothing does.
    pub served_by: Option<&'static str>,
}

/// What the relay gives for an agent, checked.
pub(crate) struct FoundAgent {
    pub(crate) agent: Agent,
    pub(crate) manifest: AgentManifest,
    pub(crate) peer: Peer,
}

impl Device {
    /// Searches the agents of the relay. Without words the newest come first.
    ///
    /// # Errors
    /// If the relay cannot be reached.
    pub async fn search_agents(
        &self,
        search: &AgentSearch,
    ) -> Result<Page<AgentSummary>, DeviceError> {
        let client = self.shared.account()?.client();
        Ok(client.call::<SearchAgents>(&(), search, &()).await?)
    }

    /// Fetches what an agent declares now, and checks it. A fingerprint of a link proves its keys.
    ///
    /// # Errors
    /// If there is no such agent, its manifest or its keys are not usable, or the fingerprint is another one.
    pub async fn look_up_agent(
        &self,
        agent_id: AgentId,
        fingerprint: Option<KeyFingerprint>,
    ) -> Result<AgentOffer, DeviceError> {
        let found = self.shared.find_agent(agent_id).await?;
        self.shared.offer(&found, fingerprint).await
    }

    /// Checks that a link leads to the relay of this device.
    ///
    /// # Errors
    /// If it names another relay.
    pub fn check_link(&self, link: &AgentLink) -> Result<(), DeviceError> {
        link.relay.as_ref().map_or(Ok(()), |relay| self.check_relay(relay.as_str()))
    }

    /// Checks that a link leads to the relay of this device.
    ///
    /// # Errors
    /// If it names another relay.
    pub fn check_relay(&self, relay: &str) -> Result<(), DeviceError> {
        let own = self.shared.relay().ok_or(DeviceError::NoRelay)?;
        if relay.trim_end_matches('/') == own.trim_end_matches('/') {
            return Ok(());
        }
        Err(DeviceError::RelayMismatch(relay.to_owned()))
    }

    /// The devices of the account.
    ///
    /// # Errors
    /// If the relay cannot be reached.
    pub async fn devices(&self) -> Result<Vec<RelayDevice>, DeviceError> {
        let client = self.shared.account()?.client();
        Ok(client.call::<ListDevices>(&(), &(), &()).await?.data)
    }
}

impl Shared {
    /// Fetches an agent with its keys.
    pub(crate) async fn find_agent(&self, agent_id: AgentId) -> Result<FoundAgent, DeviceError> {
        let client = self.account()?.client();
        let path = AgentPath { agent_id };
        let agent = client.call::<GetAgent>(&path, &(), &()).await?;
        let manifest = AgentManifest::of(&agent)?;
        let keys = client.call::<GetAgentKeys>(&path, &(), &()).await?;
        if (agent.agent_id, keys.agent_id) != (agent_id, agent_id) {
            return Err(DeviceError::UnusableAgent("the relay gives another agent".to_owned()));
        }
        let peer = peer_of(&agent, &keys)?;
        Ok(FoundAgent { agent, manifest, peer })
    }

    pub(crate) async fn offer(
        &self,
        found: &FoundAgent,
        fingerprint: Option<KeyFingerprint>,
    ) -> Result<AgentOffer, DeviceError> {
        let FoundAgent { agent, manifest, peer } = found;
        if fingerprint.is_some_and(|expected| expected != KeyFingerprint::of(peer.keys())) {
            return Err(DeviceError::KeyMismatch);
        }
        let read = manifest.read()?;
        let (scopes, tools) = (offered_scopes(&read), offered_tools(&read));
        let safety_number = self.safety_number(peer).await?;
        let has_sessions = *peer.layers() == Layers::Full;
        let agreed_to = json!({
            "agent_id": agent.agent_id,
            "manifest_hash": manifest.hash,
            "scopes": scopes.iter().map(OfferedScope::to_digest).collect::<Vec<_>>(),
            "tools": tools.iter().map(OfferedTool::to_digest).collect::<Vec<_>>(),
            "layers": layers_word(has_sessions),
            "safety_number": safety_number.digits(),
        });
        Ok(AgentOffer {
            agent_id: agent.agent_id,
            name: agent.name.clone(),
            description: agent.description.clone(),
            owner_name: agent.owner_name.clone(),
            is_suspended: agent.state == Open::Known(AgentState::Suspended),
            manifest_version: manifest.version,
            manifest_hash: manifest.hash.clone(),
            manifest: agent.capability_manifest.clone().unwrap_or_default(),
            scopes,
            tools,
            has_sessions,
            is_verified: fingerprint.is_some(),
            safety_number,
            view_digest: view_digest(&agreed_to)?,
        })
    }

    /// The number of this device and a peer.
    pub(crate) async fn safety_number(&self, peer: &Peer) -> Result<SafetyNumber, DeviceError> {
        let own = self.endpoint_and_user()?;
        let keys = self.database.read(OwnKeys(self.mailbox.clone())).await?;
        let device = Endpoint::Device(own.device_id);
        Ok(SafetyNumber::new((device, &keys), (peer.endpoint(), peer.keys())))
    }
}

impl OfferedScope {
    pub(crate) fn to_digest(&self) -> Value {
        json!({ "id": self.id, "sensitivity": self.sensitivity })
    }
}

impl OfferedTool {
    pub(crate) fn to_digest(&self) -> Value {
        json!({ "name": self.name, "scope": self.scope, "served_by": self.served_by })
    }
}

/// The digest of what a person agrees to.
pub(crate) fn view_digest(agreed_to: &Value) -> Result<Digest, DeviceError> {
    let bytes = canonicalize(agreed_to.to_string().as_bytes())?;
    Ok(Digest::of(&bytes))
}

/// The word for the layers of encryption that a peer takes part in.
#[must_use]
pub(crate) const fn layers_word(has_sessions: bool) -> &'static str {
    if has_sessions { "full" } else { "stateless" }
}

pub(crate) fn offered_scopes(manifest: &ReadManifest) -> Vec<OfferedScope> {
    let scopes = manifest.permission_scopes.iter().map(|scope| OfferedScope {
        id: scope.id.clone(),
        label_fallback: scope.label_fallback.clone(),
        description_fallback: scope.description_fallback.clone(),
        sensitivity: manifest.sensitivity(&scope.id),
    });
    scopes.collect()
}

pub(crate) fn offered_tools(manifest: &ReadManifest) -> Vec<OfferedTool> {
    let tools = manifest.tools.iter().map(|tool| OfferedTool {
        name: tool.name.to_string(),
        description: tool.description_fallback.clone(),
        scope: tool.permission_scope.clone(),
        served_by: tools::served_by(tool),
    });
    tools.collect()
}

/// The agent as a peer. How it connects decides which layers protect its messages.
pub(crate) fn peer_of(agent: &Agent, keys: &AgentKeys) -> Result<Peer, DeviceError> {
    let unusable = |reason: &str| Err(DeviceError::UnusableAgent(reason.to_owned()));
    let layers = match (agent.connection_mode.known(), &keys.kem_prekey) {
        (_, None) => return unusable("it has published no post-quantum key"),
        (Some(ConnectionMode::Websocket | ConnectionMode::Polling), Some(_)) => Layers::Full,
        (Some(ConnectionMode::Webhook), Some(kem)) => {
            Layers::Stateless { kem_key: kem.public_key.as_bytes().to_vec() }
        }
        (None, Some(_)) => return unusable("it connects in an unknown way"),
    };
    Ok(assent_mailbox::agent_peer(keys, layers))
}
