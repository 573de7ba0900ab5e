//! Changing what is granted to an agent.

use std::sync::Arc;

use assent_ids::{AgentId, ManifestHash, RelationId, ScopeId};

use crate::{
    Device, DeviceError, DeviceEvent, DeviceRelation,
    device::Shared,
    relation_works::{ClosedCalls, SignUpdate, TakeBack, Taken},
    works::FindRelation,
};

/// What the person grants to an agent from now on.
#[derive(Clone, Debug)]
pub struct ChangeGrants {
    /// Everything that is granted.
    pub granted_scopes: Vec<ScopeId>,
    /// The hash of the manifest that the person saw.
    pub manifest_hash: ManifestHash,
    /// The digest of the offer that the person saw.
    pub view_digest: String,
}

impl Device {
    /// The relation with this id.
    ///
    /// # Errors
    /// If there is none, or the state cannot be read.
    pub async fn relation(&self, id: RelationId) -> Result<DeviceRelation, DeviceError> {
        let is_this =
            |relation: &DeviceRelation| relation.established.is_some_and(|it| it.relation_id == id);
        self.relations().await?.into_iter().find(is_this).ok_or(DeviceError::UnknownRelation)
    }

    /// Changes what is granted. What is taken back ends at once, whatever the person saw, and open calls that need it
    /// are answered. What is granted in addition has to be what the person saw.
    ///
    /// # Errors
    /// If the agent is another one than the person saw, an earlier change is on its way, or the relay refuses.
    pub async fn change_grants(
        &self,
        id: RelationId,
        change: ChangeGrants,
    ) -> Result<DeviceRelation, DeviceError> {
        let shared = &self.shared;
        let relation = self.relation(id).await?;
        if relation.has_ended() {
            return Err(DeviceError::RelationEnded);
        }
        let agent_id = relation.agent_id;
        let granted = &relation.granted_scopes;
        if change.granted_scopes.iter().all(|scope| granted.contains(scope)) {
            shared.take_back(agent_id, Taken::AllBut(change.granted_scopes)).await?;
        } else {
            self.grant_more(agent_id, change).await?;
        }
        shared.relation_of(agent_id).await
    }

    /// Ends a relation. All permissions end at once, open calls are answered, and then the relay is informed.
    ///
    /// # Errors
    /// If there is no such relation, or the state cannot be written.
    pub async fn revoke(&self, id: RelationId) -> Result<DeviceRelation, DeviceError> {
        let agent_id = self.relation(id).await?.agent_id;
        self.shared.take_back(agent_id, Taken::All).await?;
        self.shared.relation_of(agent_id).await
    }

    async fn grant_more(&self, agent_id: AgentId, change: ChangeGrants) -> Result<(), DeviceError> {
        let shared = &self.shared;
        let found = shared.find_agent(agent_id).await?;
        shared.look_at(&found).await?;
        let relation = shared.relation_of(agent_id).await?;
        if relation.changed_keys.is_some() {
            return Err(DeviceError::KeysChanged);
        }
        if relation.review.is_some() {
            return Err(DeviceError::ReviewPending);
        }
        if found.manifest.hash != change.manifest_hash
            || found.manifest.hash != relation.latest.hash
        {
            return Err(DeviceError::ManifestChanged);
        }
        let offer = shared.offer(&found, None).await?;
        if offer.view_digest.to_string() != change.view_digest {
            return Err(DeviceError::ViewChanged);
        }
        found.manifest.read()?.check_scopes(&change.granted_scopes)?;
        shared.sign_update(agent_id, change.granted_scopes, found.manifest).await
    }
}

impl Shared {
    /// The relation with an agent.
    pub(crate) async fn relation_of(&self, agent: AgentId) -> Result<DeviceRelation, DeviceError> {
        let find = FindRelation(self.mailbox.clone(), agent);
        self.database.read(find).await?.ok_or(DeviceError::UnknownRelation)
    }

    /// Signs what is granted from now on, and sends it. If the relay cannot be reached, it is sent as soon as it can.
    pub(crate) async fn sign_update(
        &self,
        agent_id: AgentId,
        granted_scopes: Vec<ScopeId>,
        manifest: crate::AgentManifest,
    ) -> Result<(), DeviceError> {
        let (mailbox, own) = (self.mailbox.clone(), self.endpoint_and_user()?);
        let sign = SignUpdate {
            mailbox,
            own,
            agent_id,
            granted_scopes,
            manifest,
            minter: Arc::clone(&self.minter),
        };
        let closed = self.database.write(sign).await?;
        self.end_calls(closed).await;
        self.relation_changed(agent_id).await?;
        match self.sync_ledger(agent_id).await {
            Err(error) if self.relation_of(agent_id).await?.unsent.is_some() => {
                tracing::warn!(%error, %agent_id, "a signed change waits for the relay");
                Ok(())
            }
            result => result,
        }
    }

    /// Takes something back, at once. The relay is informed as soon as it can be reached.
    async fn take_back(&self, agent_id: AgentId, what: Taken) -> Result<(), DeviceError> {
        self.take_back_here(agent_id, what).await?;
        self.relation_changed(agent_id).await?;
        if let Err(error) = self.sync_ledger(agent_id).await {
            tracing::warn!(%error, %agent_id, "the relay does not know yet what was taken back");
        }
        Ok(())
    }

    /// Takes something back on this device.
    pub(crate) async fn take_back_here(
        &self,
        agent_id: AgentId,
        what: Taken,
    ) -> Result<(), DeviceError> {
        let (mailbox, minter) = (self.mailbox.clone(), Arc::clone(&self.minter));
        let take_back = TakeBack { mailbox, agent_id, what, minter };
        let closed = self.database.write(take_back).await?;
        self.end_calls(closed).await;
        Ok(())
    }

    /// Closes the prompts of calls that are answered already. What a tool that runs returns is dropped.
    async fn end_calls(&self, closed: ClosedCalls) {
        for invocation in closed.calls {
            self.prompts.withdraw(invocation);
        }
        self.outbox_changed();
        if let Some(head) = closed.head {
            self.write_audit_head(head).await;
        }
    }

    /// Makes the runtime know what an agent may do now, and announces the change.
    pub(crate) async fn relation_changed(&self, agent_id: AgentId) -> Result<(), DeviceError> {
        self.events.announce(DeviceEvent::RelationChanged { agent_id });
        self.apply_relations().await
    }
}
