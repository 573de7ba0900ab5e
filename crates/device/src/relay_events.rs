//! What the relay reports about agents. What makes calls wait or end is stored together with the removal of the event.

use std::sync::Arc;

use assent_ids::{AgentId, EventSeq};
use assent_mailbox::{Mailbox, MailboxError};
use assent_protocol::a2h::{EventBody, RelayEvent};
use assent_sealing::Endpoint;
use assent_store::{Tx, Work};

use crate::{
    DeviceError, DeviceRelation, RelationStanding,
    device::Shared,
    relation,
    relation_works::{ChangeRelation, Taken},
};

/// Handles an event that is not a message, and removes it from the inbox.
pub(crate) async fn receive(
    shared: &Arc<Shared>,
    entry: EventSeq,
    event: &RelayEvent,
) -> Result<(), DeviceError> {
    let agent_id = agent_of(&event.body);
    let handle =
        HandleEvent { mailbox: shared.mailbox.clone(), entry, event: event.clone(), agent_id };
    shared.database.write(handle).await?;
    let Some(agent_id) = agent_id else { return Ok(()) };
    match &event.body {
        EventBody::RelationRevoked(_) => shared.relation_ended(agent_id).await?,
        EventBody::RelationSuspended(_) => shared.suspend(agent_id, true).await?,
        EventBody::RelationRestored(_) => shared.suspend(agent_id, false).await?,
        EventBody::ReauthRequired(_) | EventBody::AgentKeysChanged(_) => {
            shared.relation_changed(agent_id).await?;
        }
        _ => {}
    }
    shared.request_refresh(agent_id);
    Ok(())
}

/// The agent that an event is about.
fn agent_of(body: &EventBody) -> Option<AgentId> {
    match body {
        EventBody::RelationRevoked(notice)
        | EventBody::RelationSuspended(notice)
        | EventBody::RelationRestored(notice) => Some(notice.agent_id),
        EventBody::ReauthRequired(notice) => Some(notice.agent_id),
        EventBody::CapabilityChanged(notice) => Some(notice.agent_id),
        EventBody::AgentKeysChanged(notice) => Some(notice.agent_id),
        _ => None,
    }
}

/// Removes an event, and makes calls wait if it says so.
struct HandleEvent {
    mailbox: Mailbox,
    entry: EventSeq,
    event: RelayEvent,
    agent_id: Option<AgentId>,
}

impl Work for HandleEvent {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.mailbox.remove_entry(tx, self.entry).await?;
        let Some(agent_id) = self.agent_id else { return Ok(()) };
        let Some(mut relation) = relation::find(tx, &self.mailbox, agent_id).await? else {
            return Ok(());
        };
        match &self.event.body {
            EventBody::ReauthRequired(notice) => {
                let version = notice.new_manifest_version.0;
                relation.require_reauth(version, &notice.scopes_requiring_reauth);
                relation::put(tx, &self.mailbox, &relation).await
            }
            EventBody::AgentKeysChanged(_) => {
                let endpoint = Endpoint::Agent(agent_id);
                if let Some(mut peer) = self.mailbox.peer(tx, endpoint).await? {
                    peer.mark_changed();
                    self.mailbox.put_peer(tx, agent_id.into(), &peer).await?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl Shared {
    /// The relay has ended a relation, or the person has and the relay confirms it.
    pub(crate) async fn relation_ended(&self, agent_id: AgentId) -> Result<(), DeviceError> {
        let end = |relation: &mut DeviceRelation| {
            let is_new = !relation.has_ended() && relation.unsent.is_none();
            if is_new {
                relation.state = RelationStanding::Ended;
            }
            Ok(is_new)
        };
        let mailbox = self.mailbox.clone();
        if !self.change_known(ChangeRelation { mailbox, agent_id, change: end }).await? {
            return Ok(());
        }
        self.take_back_here(agent_id, Taken::All).await?;
        self.relation_changed(agent_id).await
    }

    /// The relay has suspended a relation, or restored it.
    pub(crate) async fn suspend(
        &self,
        agent_id: AgentId,
        is_suspended: bool,
    ) -> Result<(), DeviceError> {
        let change = move |relation: &mut DeviceRelation| {
            let state = match (relation.state, is_suspended) {
                (RelationStanding::Active, true) => RelationStanding::Suspended,
                (RelationStanding::Suspended, false) => RelationStanding::Active,
                (state, _) => state,
            };
            let is_new = state != relation.state;
            relation.state = state;
            Ok(is_new)
        };
        let mailbox = self.mailbox.clone();
        if self.change_known(ChangeRelation { mailbox, agent_id, change }).await? {
            self.relation_changed(agent_id).await?;
        }
        Ok(())
    }

    /// Changes a relation. One that is not known has not changed.
    async fn change_known<F>(&self, change: ChangeRelation<F>) -> Result<bool, DeviceError>
    where
        ChangeRelation<F>: Work<Output = bool, Error = DeviceError>,
    {
        match self.database.write(change).await {
            Err(DeviceError::UnknownRelation) => Ok(false),
            result => result,
        }
    }
}
