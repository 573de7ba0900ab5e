//! Hands what arrived to handlers, in order.

use std::{sync::Arc, time::Duration};

use assent_ids::EventSeq;
use assent_mailbox::{InboxEntry, MailboxError, Opened, Received};

use crate::{
    AgentEvent, IncomingMessage,
    incoming::Incoming,
    shared::Shared,
    works::{NextEntry, RemoveEntry},
};

/// The wait before something that failed is tried again.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Delivers until the task is aborted, from the moment on when the agent has a handler. Entries up to `last_before` were received by an earlier process, which may have
/// handled them.
pub(crate) async fn run(shared: Arc<Shared>, last_before: EventSeq) {
    let mut settled = shared.settled.subscribe();
    // The sender is in `shared`, so that waiting does not fail.
    drop(shared.has_handlers.subscribe().wait_for(|has_handlers| *has_handlers).await);
    loop {
        let up_to = *settled.borrow_and_update();
        let delivered = deliver_all(&shared, up_to, last_before).await;
        match delivered {
            // The sender is in `shared`, so that waiting does not fail.
            Ok(()) => drop(settled.changed().await),
            Err(error) => {
                tracing::error!(%error, "the inbox cannot be read");
                tokio::time::sleep(RETRY_DELAY).await;
            }
        }
    }
}

async fn deliver_all(
    shared: &Shared,
    up_to: EventSeq,
    last_before: EventSeq,
) -> Result<(), MailboxError> {
    let first = || NextEntry(shared.mailbox.clone(), EventSeq::default());
    while let Some(entry) = shared.database.read(first()).await? {
        if entry.event_id > up_to {
            return Ok(());
        }
        let event_id = entry.event_id;
        let _delivering = shared.delivering.lock().await;
        deliver(shared, entry, event_id <= last_before).await?;
        shared.database.write(RemoveEntry(shared.mailbox.clone(), event_id)).await?;
    }
    Ok(())
}

async fn deliver(
    shared: &Shared,
    entry: InboxEntry,
    redelivered: bool,
) -> Result<(), MailboxError> {
    let event_id = entry.event_id;
    match entry.received {
        Received::Message(opened) => deliver_message(shared, opened, redelivered).await?,
        Received::Refused(refused) => {
            let (conversation_id, reason) = (refused.conversation, refused.reason);
            shared.events.run(AgentEvent::Refused { conversation_id, event_id, reason }).await;
        }
        Received::Event(event) => shared.events.run(AgentEvent::Relay(event)).await,
    }
    Ok(())
}

async fn deliver_message(
    shared: &Shared,
    opened: Opened,
    redelivered: bool,
) -> Result<(), MailboxError> {
    let conversation_id = opened.conversation;
    match Incoming::read(&opened.content) {
        Incoming::Response(response) => {
            shared.events.run(AgentEvent::ToolResponse { conversation_id, response }).await;
        }
        Incoming::SessionReset => {}
        Incoming::Other(content) => {
            let message = IncomingMessage {
                conversation_id,
                message_id: opened.message_id,
                sender: shared.user_of(opened.sender).await?,
                content,
                redelivered,
            };
            shared.messages.run(message).await;
        }
    }
    Ok(())
}
