//! Handles what arrived, in order.

use std::{sync::Arc, time::Duration};

use assent_ids::{EventSeq, UnixMillis};
use assent_mailbox::{InboxEntry, MailboxError, Opened, Received};
use assent_protocol::a2h::{EventBody, RelationNotice, RelayEvent, ToolOutcome, ToolResponse};
use serde_json::Value;

use crate::{
    AgentEvent, IncomingMessage, RelationSummary,
    content::Incoming,
    pending_call::CallEnd,
    shared::Shared,
    works::{
        ChangeRelation, EndCall, ExtendCall, NextEntry, RemoveEntry, RepeatCalls, TakeRefused,
    },
};

/// The wait before something that failed is tried again.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// A parked call is waited for this much longer than the device has announced.
const PENDING_MARGIN: Duration = Duration::from_secs(30);

/// The most calls that are sent again after a new session.
const MAX_REPEATED: usize = 1000;

/// Delivers until the task is aborted.
pub(crate) async fn run(shared: Arc<Shared>) {
    // What is in the inbox at the start may have been handled before.
    let mut redelivered = true;
    loop {
        match deliver_all(&shared, redelivered).await {
            Ok(()) => {
                redelivered = false;
                shared.sync.inbox_changed().await;
            }
            Err(error) => {
                tracing::error!(%error, "the inbox cannot be read");
                tokio::time::sleep(RETRY_DELAY).await;
            }
        }
    }
}

async fn deliver_all(shared: &Shared, redelivered: bool) -> Result<(), MailboxError> {
    while let Some((call_id, end)) =
        shared.database.write(TakeRefused(shared.mailbox.clone())).await?
    {
        if let Some(call_id) = call_id {
            shared.end_call(&call_id, end);
        }
    }
    while let Some(entry) = shared.database.read(NextEntry(shared.mailbox.clone())).await? {
        deliver(shared, entry, redelivered).await?;
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
        Received::Message(opened) => {
            return deliver_message(shared, event_id, opened, redelivered).await;
        }
        Received::Refused(refused) => {
            let (conversation_id, reason) = (refused.conversation, refused.reason);
            shared.events.run(AgentEvent::Refused { conversation_id, event_id, reason }).await;
        }
        Received::Event(event) => {
            change_relation(shared, &event).await?;
            shared.events.run(AgentEvent::Relay(event)).await;
        }
    }
    remove(shared, event_id).await
}

async fn remove(shared: &Shared, event_id: EventSeq) -> Result<(), MailboxError> {
    shared.database.write(RemoveEntry(shared.mailbox.clone(), event_id)).await
}

async fn deliver_message(
    shared: &Shared,
    event_id: EventSeq,
    opened: Opened,
    redelivered: bool,
) -> Result<(), MailboxError> {
    match Incoming::read(&opened.content) {
        Incoming::Response(response) => {
            deliver_response(shared, event_id, &opened, *response).await
        }
        Incoming::SessionReset => repeat_calls(shared, event_id, &opened).await,
        Incoming::Other(content) => {
            let message = IncomingMessage {
                conversation_id: opened.conversation,
                message_id: opened.message_id,
                sender: shared.user_of(opened.sender).await?,
                content,
                redelivered,
            };
            shared.messages.run(message).await;
            remove(shared, event_id).await
        }
    }
}

async fn deliver_response(
    shared: &Shared,
    entry: EventSeq,
    opened: &Opened,
    response: ToolResponse,
) -> Result<(), MailboxError> {
    let (mailbox, conversation) = (shared.mailbox.clone(), opened.conversation);
    let call_id = response.call_id.clone();
    let is_known = if let ToolOutcome::Pending { until } = &response.outcome {
        let until = until.clone();
        let instant = until.as_ref().and_then(|until| until.instant().ok());
        let millis = instant.and_then(|instant| u64::try_from(instant.as_millisecond()).ok());
        let deadline = UnixMillis::new(millis.unwrap_or_default()).after(PENDING_MARGIN);
        let extend =
            ExtendCall { mailbox, entry, conversation, call_id: call_id.clone(), deadline };
        let is_known = shared.database.write(extend).await?;
        shared.extend_call(&call_id, deadline, until);
        is_known
    } else {
        let response = serde_json::from_slice(&opened.content).unwrap_or(Value::Null);
        let end = CallEnd::Answered { response };
        let work =
            EndCall { mailbox, entry, conversation, call_id: call_id.clone(), end: end.clone() };
        let is_known = shared.database.write(work).await?;
        if is_known {
            shared.end_call(&call_id, end);
        }
        is_known
    };
    if is_known {
        return Ok(());
    }
    let response = Box::new(response);
    shared.events.run(AgentEvent::ToolResponse { conversation_id: conversation, response }).await;
    remove(shared, entry).await
}

/// The device may have lost calls, because it could not open them. It runs each of them once.
async fn repeat_calls(
    shared: &Shared,
    entry: EventSeq,
    opened: &Opened,
) -> Result<(), MailboxError> {
    let message_ids = (0..MAX_REPEATED).map(|_| shared.new_message_id()).collect();
    let repeat = RepeatCalls {
        mailbox: shared.mailbox.clone(),
        entry,
        conversation: opened.conversation,
        device: opened.sender,
        message_ids,
    };
    shared.database.write(repeat).await?;
    shared.sync.outbox_changed();
    Ok(())
}

async fn change_relation(shared: &Shared, event: &RelayEvent) -> Result<(), MailboxError> {
    let change = |notice: &RelationNotice, is_active, end| ChangeRelation {
        mailbox: shared.mailbox.clone(),
        relation_id: notice.relation_id,
        relation: RelationSummary::from_notice(notice, is_active),
        is_active,
        end,
    };
    let change = match &event.body {
        EventBody::RelationEstablished(notice) | EventBody::RelationRestored(notice) => {
            change(notice, true, None)
        }
        EventBody::RelationRevoked(notice) => change(notice, false, Some(CallEnd::Revoked)),
        EventBody::RelationSuspended(notice) => {
            change(notice, false, Some(CallEnd::RelationInactive))
        }
        _ => return Ok(()),
    };
    let end = change.end.clone();
    let ended = shared.database.write(change).await?;
    for call_id in ended {
        if let Some(end) = &end {
            shared.end_call(&call_id, end.clone());
        }
    }
    Ok(())
}
