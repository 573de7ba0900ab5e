//! Handles what arrives, in order.

use std::{sync::Arc, time::Duration};

use assent_ids::{EventSeq, Principal};
use assent_mailbox::{InboxEntry, MailboxError, MailboxSync, Received, Refused};
use assent_sealing::Endpoint;

use crate::{
    DeviceError,
    activity::{RefuseEntry, RefusedRecord},
    device::Shared,
    receive_call, relay_events,
    works::{NextEntry, RemoveEntry, TakeRefused},
};

/// The wait before something that failed is tried again.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Handles the inbox until the task is aborted.
pub(crate) async fn run(shared: Arc<Shared>, sync: Arc<MailboxSync>) {
    loop {
        match handle_all(&shared).await {
            Ok(()) => sync.inbox_changed().await,
            Err(error) => {
                tracing::error!(%error, "the inbox cannot be read");
                tokio::time::sleep(RETRY_DELAY).await;
            }
        }
    }
}

async fn handle_all(shared: &Arc<Shared>) -> Result<(), DeviceError> {
    while let Some(refused) = shared.database.write(TakeRefused(shared.mailbox.clone())).await? {
        tracing::warn!(code = refused.code, "the relay did not accept a message");
    }
    while let Some(entry) = shared.database.read(NextEntry(shared.mailbox.clone())).await? {
        handle(shared, entry).await?;
    }
    Ok(())
}

async fn handle(shared: &Arc<Shared>, entry: InboxEntry) -> Result<(), DeviceError> {
    match &entry.received {
        Received::Message(opened) => {
            if let Endpoint::Agent(agent_id) = opened.sender {
                return Ok(receive_call::receive(shared, entry.event_id, agent_id, opened).await?);
            }
        }
        Received::Refused(refused) => {
            tracing::warn!(reason = refused.reason, "a message could not be opened");
            return Ok(refuse(shared, entry.event_id, refused).await?);
        }
        Received::Event(event) => {
            return relay_events::receive(shared, entry.event_id, event).await;
        }
    }
    Ok(shared.database.write(RemoveEntry(shared.mailbox.clone(), entry.event_id)).await?)
}

/// Records that a message could not be opened.
async fn refuse(shared: &Shared, entry: EventSeq, refused: &Refused) -> Result<(), MailboxError> {
    let agent_id = match refused.sender {
        Some(Principal::Agent(agent_id)) => Some(agent_id),
        _ => None,
    };
    let refused = RefusedRecord {
        id: shared.minter.mint(),
        at: shared.now(),
        agent_id,
        conversation_id: refused.conversation,
        reason: refused.reason.clone(),
    };
    let mailbox = shared.mailbox.clone();
    shared.database.write(RefuseEntry { mailbox, entry, refused }).await
}
