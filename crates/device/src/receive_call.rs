//! The first four checks of a call: it can be read, is new and recent, and came in the right conversation.

use std::sync::Arc;

use assent_ids::{AgentId, CallId, Clock as _, EventSeq, SystemClock, UnixMillis};
use assent_mailbox::{MailboxError, Opened};
use assent_protocol::a2h::{ArtifactError, ToolCall, ToolErrorCode, ToolOutcome, ToolResponse};
use serde_json::Value;

use crate::{
    DeviceEvent, DeviceRelation, MessageBody, RelationStanding, Side,
    activity::{RefuseEntry, RefusedRecord},
    call_record::{AnswerId, ReceivedCall},
    conversations::FileMessage,
    device::Shared,
    messages::MessageRecord,
    outcome::{denied, failed},
    run_call,
    works::{AcceptCall, Accepted, FindRelation, RemoveEntry, WithdrawCall},
};

/// Takes a message of an agent out of the inbox.
pub(crate) async fn receive(
    shared: &Arc<Shared>,
    entry: EventSeq,
    agent_id: AgentId,
    opened: &Opened,
) -> Result<(), MailboxError> {
    let find = FindRelation(shared.mailbox.clone(), agent_id);
    let relation = shared.database.read(find).await?;
    let is_active = |relation: &DeviceRelation| relation.state == RelationStanding::Active;
    let Some(relation) = relation.filter(is_active) else {
        return drop_entry(shared, entry).await;
    };
    let content = serde_json::from_slice(&opened.content).unwrap_or(Value::Null);
    if let Some(call_id) = withdrawn_call(&content) {
        return withdraw(shared, entry, agent_id, opened, &call_id).await;
    }
    let body = MessageBody::of(&content);
    let (call, answer) = match ToolCall::try_from(content) {
        Ok(call) => {
            let answer = refuse(shared, &relation, opened);
            let received = received(shared, agent_id, opened, &call);
            (received, answer.map(|outcome| ToolResponse::new(call.call_id, outcome)))
        }
        Err(ArtifactError::Malformed { call_id: Some(call_id), .. }) => {
            let outcome = failed(ToolErrorCode::InvalidArguments, "malformed");
            let (invocation, conversation) = (shared.minter.mint(), opened.conversation);
            let call = ReceivedCall::unreadable(invocation, agent_id, conversation, &call_id);
            (call, Some(ToolResponse::new(call_id, outcome)))
        }
        Err(ArtifactError::OtherSubtype(_)) => {
            return file_message(shared, entry, &relation, opened, body).await;
        }
        Err(_) => return refuse_entry(shared, entry, agent_id, opened).await,
    };
    let accept = AcceptCall {
        mailbox: shared.mailbox.clone(),
        entry,
        received_at: SystemClock.now(),
        call,
        answer,
        audit_entry_id: shared.minter.mint(),
    };
    let call = &accept.call;
    let updated = DeviceEvent::CallUpdated {
        invocation_id: call.invocation,
        agent_id,
        conversation_id: call.conversation,
    };
    let accepted = shared.database.write(accept).await?;
    shared.events.announce(updated);
    match accepted {
        Accepted::New(record) => run_call::spawn(shared, *record),
        Accepted::Answered(head) => {
            shared.outbox_changed();
            shared.write_audit_head(head).await;
        }
        Accepted::Known => shared.outbox_changed(),
    }
    Ok(())
}

/// The call that a message withdraws.
fn withdrawn_call(content: &Value) -> Option<CallId> {
    let kind = content.pointer("/event/kind").and_then(Value::as_str);
    if kind != Some("call.cancel") {
        return None;
    }
    content.pointer("/event/call_id").and_then(Value::as_str)?.parse().ok()
}

/// Closes the prompt about a call. A call that runs goes on, and is answered.
async fn withdraw(
    shared: &Shared,
    entry: EventSeq,
    agent_id: AgentId,
    opened: &Opened,
    call_id: &CallId,
) -> Result<(), MailboxError> {
    let answer_id = AnswerId::of(opened.conversation, agent_id, call_id);
    let withdraw = WithdrawCall { mailbox: shared.mailbox.clone(), entry, answer_id };
    if let Some(invocation) = shared.database.write(withdraw).await? {
        shared.prompts.withdraw(invocation);
    }
    Ok(())
}

/// Stores a message for people. One without anything for them is dropped, and so is one from elsewhere.
async fn file_message(
    shared: &Shared,
    entry: EventSeq,
    relation: &DeviceRelation,
    opened: &Opened,
    body: Option<MessageBody>,
) -> Result<(), MailboxError> {
    let own = relation.established.map(|established| established.conversation_id);
    let Some(body) = body.filter(|_| own == Some(opened.conversation)) else {
        return drop_entry(shared, entry).await;
    };
    let message = MessageRecord {
        message_id: opened.message_id.to_string(),
        from: Side::Agent,
        body,
        at: shared.now(),
        is_refused: false,
    };
    let conversation = opened.conversation;
    let mailbox = shared.mailbox.clone();
    shared.database.write(FileMessage { mailbox, entry, conversation, message }).await?;
    shared.events.announce(DeviceEvent::Message { conversation_id: conversation });
    Ok(())
}

/// Records a call that cannot be answered, because its id cannot be read.
async fn refuse_entry(
    shared: &Shared,
    entry: EventSeq,
    agent_id: AgentId,
    opened: &Opened,
) -> Result<(), MailboxError> {
    let refused = RefusedRecord {
        id: shared.minter.mint(),
        at: shared.now(),
        agent_id: Some(agent_id),
        conversation_id: opened.conversation,
        reason: "malformed".to_owned(),
    };
    let mailbox = shared.mailbox.clone();
    shared.database.write(RefuseEntry { mailbox, entry, refused }).await
}

async fn drop_entry(shared: &Shared, entry: EventSeq) -> Result<(), MailboxError> {
    shared.database.write(RemoveEntry(shared.mailbox.clone(), entry)).await
}

fn received(shared: &Shared, agent: AgentId, opened: &Opened, call: &ToolCall) -> ReceivedCall {
    ReceivedCall::new(shared.minter.mint(), agent, opened.conversation, call)
}

/// Why a call does not run, if that shows before it reaches the runtime.
fn refuse(shared: &Shared, relation: &DeviceRelation, opened: &Opened) -> Option<ToolOutcome> {
    let now = SystemClock.now();
    if distance(now, opened.sent_at) > shared.options.timings.max_call_age {
        return Some(failed(ToolErrorCode::PlatformError, "expired"));
    }
    let own = relation.established.map(|established| established.conversation_id);
    (own != Some(opened.conversation)).then(|| denied("tool_not_supported_in_group"))
}

fn distance(one: UnixMillis, other: UnixMillis) -> std::time::Duration {
    one.since(other).max(other.since(one))
}
