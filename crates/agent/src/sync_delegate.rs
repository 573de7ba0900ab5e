//! What the synchronization of the mailbox asks of an agent.

use std::sync::Arc;

use assent_ids::{ClientMessageId, Principal};
use assent_mailbox::{DelegateFuture, Mailbox, SyncDelegate};
use assent_protocol::a2h::{EventBody, RelayEvent};
use assent_relay_api::value::Secret;
use assent_relay_client::{Client, ClientError};
use assent_sealing::Peer;
use assent_store::Database;

use crate::{
    device_of::device_of,
    sent::{Outcome, Sending},
    works::FindRecipients,
};

/// Answers for an agent.
pub(crate) struct AgentSyncDelegate {
    pub(crate) client: Client,
    pub(crate) database: Database,
    pub(crate) mailbox: Mailbox,
    pub(crate) sending: Arc<Sending>,
}

impl SyncDelegate for AgentSyncDelegate {
    fn client(&self) -> Client {
        self.client.clone()
    }

    fn renew_token(&self) -> DelegateFuture<'_, Option<Secret>> {
        // The token of an agent does not expire. One that was refused stays refused.
        Box::pin(std::future::ready(Ok(None)))
    }

    fn find_peers<'a>(
        &'a self,
        event: &'a RelayEvent,
    ) -> DelegateFuture<'a, Vec<(Principal, Peer)>> {
        Box::pin(self.sender_of(event))
    }

    fn message_stored(&self, client_message_id: &ClientMessageId) {
        self.sending.end(client_message_id, Outcome::Stored);
    }
}

impl AgentSyncDelegate {
    /// The device of the person who is behind an event, if it is not known yet.
    async fn sender_of(&self, event: &RelayEvent) -> Result<Vec<(Principal, Peer)>, ClientError> {
        let (relation_id, user_id) = match &event.body {
            EventBody::RelationEstablished(notice) => (notice.relation_id, notice.user_id),
            EventBody::MessageNew(message) => {
                let Some(Principal::User(_)) = message.sender_id else { return Ok(Vec::new()) };
                let find = FindRecipients(self.mailbox.clone(), message.conversation_id);
                match self.database.read(find).await {
                    Ok(Some(found)) if found.devices.is_empty() => {
                        (found.relation.relation_id, found.relation.user_id)
                    }
                    _ => return Ok(Vec::new()),
                }
            }
            _ => return Ok(Vec::new()),
        };
        let peer = device_of(&self.client, relation_id, user_id).await?;
        Ok(peer.map(|peer| (user_id.into(), peer)).into_iter().collect())
    }
}
