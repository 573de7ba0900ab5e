//! Looks after the agents of the person: what they declare, their keys, and what the relay says about the relations.
//!
//! That happens when the relay reports a change, and after every connection, because reports can be missed.

use std::sync::Arc;

use assent_ids::AgentId;
use assent_mailbox::{MailboxSync, SyncDelegate as _, SyncStatus};
use assent_protocol::a2h::ApiCode;
use assent_relay_api::{
    model::{Relation, RelationState},
    operations::{agents::GetAgent, keys::GetAgentKeys, relations::GetRelation},
    path::{AgentPath, RelationPath},
};
use tokio::{sync::mpsc, time::Duration};

use crate::{
    DeviceError, DeviceEvent, DeviceRelation, RejectedManifest,
    agent_changes::{RelayNotice, compare},
    agent_manifest::AgentManifest,
    device::Shared,
    directory::{FoundAgent, peer_of},
    keys::SeenPeer,
    relation::Established,
    relation_works::{ChangeRelation, EndSilences},
};

/// The wait before something that failed is tried again.
const RETRY_DELAY: Duration = Duration::from_secs(2);

/// How often the manifest of an agent is compared again because the person has agreed to another one meanwhile.
const COMPARE_LIMIT: usize = 3;

/// Refreshes agents after each connection and when asked to, until the task is aborted.
pub(crate) async fn run(
    shared: Arc<Shared>,
    sync: Arc<MailboxSync>,
    mut requests: mpsc::UnboundedReceiver<AgentId>,
) {
    let mut status = sync.status();
    let mut was_connected = false;
    loop {
        let is_connected = *status.borrow_and_update() == SyncStatus::Connected;
        if is_connected && !was_connected {
            refresh_all(&shared).await;
        }
        was_connected = is_connected;
        tokio::select! {
            changed = status.changed() => if changed.is_err() { return },
            request = requests.recv() => match request {
                Some(agent_id) => refresh_until_done(&shared, agent_id).await,
                None => return,
            },
        }
    }
}

async fn refresh_all(shared: &Shared) {
    let relations = match shared.relations().await {
        Ok(relations) => relations,
        Err(error) => return tracing::error!(%error, "the relations cannot be read"),
    };
    for relation in relations {
        refresh_until_done(shared, relation.agent_id).await;
    }
}

/// Refreshes an agent. If the relay cannot be reached, the next connection does it.
async fn refresh_until_done(shared: &Shared, agent_id: AgentId) {
    for _ in 0..COMPARE_LIMIT {
        let result = match shared.sync_ledger(agent_id).await {
            Ok(()) => shared.refresh(agent_id).await,
            // What cannot be sent does not keep the device from looking at what there is.
            Err(error) => shared.refresh(agent_id).await.and(Err(error)),
        };
        match result {
            Ok(()) => return,
            Err(error) => tracing::warn!(%error, %agent_id, "an agent cannot be looked after"),
        }
        tokio::time::sleep(RETRY_DELAY).await;
    }
}

impl Shared {
    /// Fetches what the relay knows about an agent that the person has added, and acts on it.
    pub(crate) async fn refresh(&self, agent_id: AgentId) -> Result<(), DeviceError> {
        let relation = self.relation_of(agent_id).await?;
        let Some(known) = relation.established.filter(|_| !relation.has_ended()) else {
            return Ok(());
        };
        let client = self.account()?.client();
        let path = AgentPath { agent_id };
        let agent = client.call::<GetAgent>(&path, &(), &()).await?;
        let keys = match client.call::<GetAgentKeys>(&path, &(), &()).await {
            Ok(keys) => Some(keys),
            Err(error) if error.code() == Some(ApiCode::NotFound) => None,
            Err(error) => return Err(error.into()),
        };
        let seen = keys.as_ref().and_then(|keys| peer_of(&agent, keys).ok());
        let seen = seen.as_ref().map(SeenPeer::of);
        self.note_peer(agent_id, seen).await?;
        let path = RelationPath { relation_id: known.relation_id };
        let on_relay = client.call::<GetRelation>(&path, &(), &()).await?;
        self.note_state(agent_id, &on_relay).await?;
        match AgentManifest::of(&agent) {
            Ok(manifest) => self.consider(agent_id, manifest, notice_of(&on_relay)).await,
            Err(DeviceError::UnusableAgent(reason)) => {
                let version = agent.capability_manifest_version;
                self.reject(agent_id, RejectedManifest { version, reason }).await
            }
            Err(error) => Err(error),
        }
    }

    /// Acts on an agent that was fetched for another reason.
    pub(crate) async fn look_at(&self, found: &FoundAgent) -> Result<(), DeviceError> {
        let agent_id = found.agent.agent_id;
        self.note_peer(agent_id, Some(SeenPeer::of(&found.peer))).await?;
        self.consider(agent_id, found.manifest.clone(), RelayNotice::default()).await
    }

    async fn consider(
        &self,
        agent_id: AgentId,
        manifest: AgentManifest,
        notice: RelayNotice,
    ) -> Result<(), DeviceError> {
        let agreed = self.relation_of(agent_id).await?.agreed;
        let later = manifest.clone();
        let comparison = tokio::task::spawn_blocking(move || compare(agreed, &later)).await;
        let comparison = comparison.map_err(|error| DeviceError::Input(error.to_string()))??;
        let change =
            move |relation: &mut DeviceRelation| relation.consider(&manifest, &comparison, &notice);
        let mailbox = self.mailbox.clone();
        let considered = self.database.write(ChangeRelation { mailbox, agent_id, change }).await?;
        if considered.is_other_manifest {
            let mailbox = self.mailbox.clone();
            self.database.write(EndSilences { mailbox, agent_id }).await?;
        }
        if considered.is_news {
            self.relation_changed(agent_id).await?;
        }
        if considered.is_new_review || considered.is_review_gone {
            self.announce_review(agent_id, considered.is_new_review).await?;
        }
        Ok(())
    }

    /// Announces that there is a review, or that there is none any more.
    pub(crate) async fn announce_review(
        &self,
        agent_id: AgentId,
        is_open: bool,
    ) -> Result<(), DeviceError> {
        if let Some(Established { relation_id, .. }) = self.relation_of(agent_id).await?.established
        {
            self.events.announce(match is_open {
                true => DeviceEvent::ReviewOpened { relation_id },
                false => DeviceEvent::ReviewClosed { relation_id },
            });
        }
        Ok(())
    }

    async fn reject(
        &self,
        agent_id: AgentId,
        rejected: RejectedManifest,
    ) -> Result<(), DeviceError> {
        tracing::warn!(%agent_id, reason = rejected.reason, "a manifest is not used");
        let change = move |relation: &mut DeviceRelation| {
            relation.rejected = Some(rejected.clone());
            Ok(())
        };
        let mailbox = self.mailbox.clone();
        self.database.write(ChangeRelation { mailbox, agent_id, change }).await
    }

    /// Records whether the relation is suspended or has ended. The relay cannot make it active again if the person has
    /// ended it.
    async fn note_state(&self, agent_id: AgentId, on_relay: &Relation) -> Result<(), DeviceError> {
        match on_relay.state.known() {
            Some(RelationState::Revoked) => self.relation_ended(agent_id).await,
            Some(RelationState::Suspended) => self.suspend(agent_id, true).await,
            Some(RelationState::Active) => self.suspend(agent_id, false).await,
            None => Ok(()),
        }
    }
}

fn notice_of(on_relay: &Relation) -> RelayNotice {
    let scopes = on_relay.scopes_requiring_reauth.clone();
    RelayNotice { requires_reauth: !scopes.is_empty(), scopes }
}
