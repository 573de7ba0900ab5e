//! Ends calls as their answers arrive, without waiting for handlers: a handler may wait for a call.

use std::{sync::Arc, time::Duration};

use assent_ids::{EventSeq, UnixMillis};
use assent_mailbox::{InboxEntry, MailboxError, Opened, Received};
use assent_protocol::a2h::{EventBody, RelationNotice, RelayEvent, ToolOutcome, ToolResponse};
use serde_json::Value;

use crate::{
    RelationSummary,
    incoming::Incoming,
    pending_call::CallEnd,
    sent::Outcome,
    shared::Shared,
    works::{
        ChangeRelation, EndCall, ExtendCall, NextEntry, RepeatCalls, TakeRefused, TakenRefusal,
    },
};

/// The wait before something that failed is tried again.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// A parked call is waited for this much longer than the device has announced.
const PENDING_MARGIN: Duration = Duration::from_secs(30);

/// The most calls that are sent again after a new session.
const MAX_REPEATED: usize = 1000;

/// Settles calls until the task is aborted. What is left in the inbox is for handlers.
pub(crate) async fn run(shared: Arc<Shared>) {
    let mut cursor = EventSeq::default();
    loop {
        match settle_all(&shared, &mut cursor).await {
            Ok(()) => shared.sync.inbox_changed().await,
            Err(error) => {
                tracing::error!(%error, "the inbox cannot be read");
                tokio::time::sleep(RETRY_DELAY).await;
            }
        }
    }
}

async fn settle_all(shared: &Shared, cursor: &mut EventSeq) -> Result<(), MailboxError> {
    while let Some(taken) = shared.database.write(TakeRefused(shared.mailbox.clone())).await? {
        let TakenRefusal { refused, calls, end } = taken;
        tracing::warn!(code = refused.code, "a message was refused");
        shared.sending.end(&refused.client_message_id, Outcome::Refused(refused.code));
        for call_id in calls {
            shared.end_call(&call_id, end.clone());
        }
    }
    while let Some(entry) = shared.database.read(NextEntry(shared.mailbox.clone(), *cursor)).await?
    {
        settle(shared, &entry).await?;
        *cursor = entry.event_id;
        shared.settled.send_replace(*cursor);
    }
    Ok(())
}

/// Does what an entry means for calls. An entry that means nothing else is removed.
async fn settle(shared: &Shared, entry: &InboxEntry) -> Result<(), MailboxError> {
    match &entry.received {
        Received::Message(opened) => match Incoming::read(&opened.content) {
            Incoming::Response(response) => {
                settle_response(shared, entry.event_id, opened, &response).await
            }
            Incoming::SessionReset => repeat_calls(shared, entry.event_id, opened).await,
            Incoming::Other(_) => Ok(()),
        },
        Received::Event(event) => change_relation(shared, event).await,
        Received::Refused(_) => Ok(()),
    }
}

/// Ends the call that a response answers. A response to no open call is left for handlers.
async fn settle_response(
    shared: &Shared,
    entry: EventSeq,
    opened: &Opened,
    response: &ToolResponse,
) -> Result<(), MailboxError> {
    let (mailbox, conversation) = (shared.mailbox.clone(), opened.conversation);
    let call_id = response.call_id.clone();
    if let ToolOutcome::Pending { until } = &response.outcome {
        let instant = until.as_ref().and_then(|until| until.instant().ok());
        let millis = instant.and_then(|instant| u64::try_from(instant.as_millisecond()).ok());
        let deadline = millis.map(|millis| UnixMillis::new(millis).after(PENDING_MARGIN));
        let extend =
            ExtendCall { mailbox, entry, conversation, call_id: call_id.clone(), deadline };
        if let Some(deadline) = shared.database.write(extend).await? {
            shared.extend_call(&call_id, deadline, until.clone());
        }
        return Ok(());
    }
    let response = serde_json::from_slice(&opened.content).unwrap_or(Value::Null);
    let end = CallEnd::Answered { response };
    let work = EndCall { mailbox, entry, conversation, call_id: call_id.clone(), end: end.clone() };
    if shared.database.write(work).await? {
        shared.end_call(&call_id, end);
    }
    Ok(())
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
    for replaced in shared.database.write(repeat).await? {
        shared.sending.forget(&replaced);
    }
    shared.sync.outbox_changed();
    Ok(())
}

async fn change_relation(shared: &Shared, event: &RelayEvent) -> Result<(), MailboxError> {
    let change = |notice: &RelationNotice, is_active, end| ChangeRelation {
        mailbox: shared.mailbox.clone(),
        event_id: event.event_id,
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
