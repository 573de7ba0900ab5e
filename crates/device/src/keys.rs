//! The keys of agents: how a person compares them, and what happens when they change.
//!
//! While the relay gives other keys than those that are pinned, nothing of the agent is opened and nothing is sealed
//! to it. Accepting new keys takes their safety number, so that they cannot be accepted without looking at them.

use assent_ids::{AgentId, Clock as _, SystemClock, UnixMillis};
use assent_mailbox::Mailbox;
use assent_protocol::wire::Timestamp;
use assent_sealing::{Endpoint, KeyFingerprint, Layers, Peer, PublicKeys, SafetyNumber};
use assent_store::{Tx, Work};
use serde::{Deserialize, Serialize};

use crate::{
    Device, DeviceError, DeviceEvent, DeviceRelation,
    device::Shared,
    relation, run_call, tool_standing,
    works::{FindPeer, OpenCalls},
};

/// Other keys than the pinned ones, or another way to connect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedKeys {
    /// The keys; `None` if the agent has none any more.
    pub keys: Option<PublicKeys>,
    /// Whether messages would go through sessions.
    pub has_sessions: bool,
    /// When this device saw it first.
    pub seen_at: Timestamp,
}

/// The keys of an agent, as they are shown to the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentKeysView {
    /// The agent.
    pub agent_id: AgentId,
    /// What it is called.
    pub agent_name: String,
    /// The fingerprint of the pinned keys.
    pub fingerprint: KeyFingerprint,
    /// The number of the pinned keys and this device.
    pub safety_number: SafetyNumber,
    /// Whether messages go through sessions.
    pub has_sessions: bool,
    /// Whether the person has compared the keys, or came by a link that proves them.
    pub is_verified: bool,
    /// Whether the agent is paused, because its keys or the way it connects are not those that are pinned.
    pub has_changed: bool,
    /// The number of the keys that the agent has now, if it has other ones.
    pub new_safety_number: Option<SafetyNumber>,
    /// When this device saw first that they have changed.
    pub changed_at: Option<Timestamp>,
}

impl Device {
    /// The keys of all agents that the person has added.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub async fn keys(&self) -> Result<Vec<AgentKeysView>, DeviceError> {
        let mut keys = Vec::new();
        for relation in self.relations().await? {
            if !relation.has_ended() {
                keys.push(self.shared.keys_view(&relation).await?);
            }
        }
        Ok(keys)
    }

    /// The keys of an agent.
    ///
    /// # Errors
    /// If the person has not added it, or the state cannot be read.
    pub async fn agent_keys(&self, agent_id: AgentId) -> Result<AgentKeysView, DeviceError> {
        self.shared.keys_view(&self.shared.relation_of(agent_id).await?).await
    }

    /// Accepts the keys that an agent has now, whose number the person has compared. If they are new ones, sessions and
    /// silences end, and the agent is asked to repeat what has no answer.
    ///
    /// # Errors
    /// If the number is not that of the keys, or the relay cannot be reached.
    pub async fn accept_keys(
        &self,
        agent_id: AgentId,
        number: &str,
    ) -> Result<AgentKeysView, DeviceError> {
        let shared = &self.shared;
        shared.relation_of(agent_id).await?;
        let found = shared.find_agent(agent_id).await?;
        if !shared.safety_number(&found.peer).await?.matches(number) {
            return Err(DeviceError::WrongNumber);
        }
        let (mailbox, seen) = (shared.mailbox.clone(), SeenPeer::of(&found.peer));
        shared.database.write(AcceptKeys { mailbox, agent_id, seen }).await?;
        shared.outbox_changed();
        for record in shared.take_paused_calls(agent_id) {
            run_call::spawn(shared, record);
        }
        shared.events.announce(DeviceEvent::KeysChanged { agent_id });
        shared.relation_changed(agent_id).await?;
        self.agent_keys(agent_id).await
    }
}

/// What the relay gives for an agent at present.
#[derive(Clone, Debug)]
pub(crate) struct SeenPeer {
    pub(crate) keys: PublicKeys,
    pub(crate) layers: Layers,
}

impl SeenPeer {
    pub(crate) fn of(peer: &Peer) -> Self {
        Self { keys: *peer.keys(), layers: peer.layers().clone() }
    }

    fn is_pinned(&self, peer: &Peer) -> bool {
        (self.keys, &self.layers) == (*peer.keys(), peer.layers())
    }
}

/// Compares what the relay gives for an agent with what is pinned. Returns `true` if the agent is paused from now on.
struct NotePeer {
    mailbox: Mailbox,
    agent_id: AgentId,
    seen: Option<SeenPeer>,
    now: UnixMillis,
}

/// Pins the keys that the person has compared.
struct AcceptKeys {
    mailbox: Mailbox,
    agent_id: AgentId,
    seen: SeenPeer,
}

impl Work for NotePeer {
    type Output = bool;
    type Error = DeviceError;
    async fn run(&self, tx: &mut Tx) -> Result<bool, DeviceError> {
        let (mut relation, mut peer) = load(tx, &self.mailbox, self.agent_id).await?;
        let was_known = relation.changed_keys.is_some();
        if self.seen.as_ref().is_some_and(|seen| seen.is_pinned(&peer)) {
            peer.mark_unchanged();
            relation.changed_keys = None;
        } else {
            peer.mark_changed();
            relation.note_changed_keys(self.seen.as_ref(), self.now);
        }
        let is_news = relation.changed_keys.is_some() && !was_known;
        self.mailbox.put_peer(tx, self.agent_id.into(), &peer).await?;
        relation::put(tx, &self.mailbox, &relation).await?;
        Ok(is_news)
    }
}

impl Work for AcceptKeys {
    type Output = ();
    type Error = DeviceError;
    async fn run(&self, tx: &mut Tx) -> Result<(), DeviceError> {
        let (mut relation, mut peer) = load(tx, &self.mailbox, self.agent_id).await?;
        let is_new = !self.seen.is_pinned(&peer);
        if is_new {
            peer = Peer::new(peer.endpoint(), self.seen.keys, self.seen.layers.clone());
            tool_standing::end_silences(tx, &self.mailbox, self.agent_id).await?;
        }
        peer.mark_unchanged();
        self.mailbox.put_peer(tx, self.agent_id.into(), &peer).await?;
        if let Some(known) = relation.established.filter(|_| is_new) {
            self.mailbox.request_new_session(tx, peer, known.conversation_id).await?;
        }
        relation.is_verified = true;
        relation.changed_keys = None;
        Ok(relation::put(tx, &self.mailbox, &relation).await?)
    }
}

async fn load(
    tx: &mut Tx,
    mailbox: &Mailbox,
    agent_id: AgentId,
) -> Result<(DeviceRelation, Peer), DeviceError> {
    let relation = relation::find(tx, mailbox, agent_id).await?;
    let peer = mailbox.peer(tx, Endpoint::Agent(agent_id)).await?;
    relation.zip(peer).ok_or(DeviceError::UnknownRelation)
}

impl DeviceRelation {
    fn note_changed_keys(&mut self, seen: Option<&SeenPeer>, now: UnixMillis) {
        let keys = seen.map(|seen| seen.keys);
        let has_sessions = seen.is_some_and(|seen| seen.layers == Layers::Full);
        let before = self.changed_keys.take();
        let seen_at = before.map_or_else(|| Timestamp::from(now), |before| before.seen_at);
        self.changed_keys = Some(ChangedKeys { keys, has_sessions, seen_at });
    }
}

impl Shared {
    /// Compares what the relay gives for an agent with what is pinned. Questions of an agent that is paused are closed.
    pub(crate) async fn note_peer(
        &self,
        agent_id: AgentId,
        seen: Option<SeenPeer>,
    ) -> Result<(), DeviceError> {
        let (mailbox, now) = (self.mailbox.clone(), SystemClock.now());
        let note = NotePeer { mailbox, agent_id, seen, now };
        if !self.database.write(note).await? {
            return Ok(());
        }
        tracing::warn!(%agent_id, "the keys of an agent have changed");
        self.events.announce(DeviceEvent::KeysChanged { agent_id });
        for record in self.database.read(OpenCalls(self.mailbox.clone())).await? {
            if record.call.agent_id == agent_id {
                self.prompts.withdraw(record.call.invocation);
            }
        }
        Ok(())
    }

    async fn keys_view(&self, relation: &DeviceRelation) -> Result<AgentKeysView, DeviceError> {
        let endpoint = Endpoint::Agent(relation.agent_id);
        let peer = self.database.read(FindPeer(self.mailbox.clone(), endpoint)).await?;
        let peer = peer.ok_or(DeviceError::UnknownRelation)?;
        let changed = relation.changed_keys.as_ref();
        let new_keys = changed.and_then(|changed| changed.keys);
        let new_safety_number = match new_keys.filter(|keys| keys != peer.keys()) {
            Some(keys) => {
                let peer = Peer::new(endpoint, keys, peer.layers().clone());
                Some(self.safety_number(&peer).await?)
            }
            None => None,
        };
        Ok(AgentKeysView {
            agent_id: relation.agent_id,
            agent_name: relation.agent_name.clone(),
            fingerprint: KeyFingerprint::of(peer.keys()),
            safety_number: self.safety_number(&peer).await?,
            has_sessions: *peer.layers() == Layers::Full,
            is_verified: relation.is_verified && !peer.has_changed(),
            has_changed: peer.has_changed(),
            new_safety_number,
            changed_at: changed.map(|changed| changed.seen_at.clone()),
        })
    }
}
