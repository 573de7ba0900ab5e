//! The transactions of an agent.

use assent_ids::{
    CallId, ClientMessageId, ConversationId, EventSeq, Principal, RelationId, UnixMillis, UserId,
};
use assent_mailbox::{
    InboxEntry, KEYS_CHANGED, Mailbox, MailboxError, OutboxState, OutgoingMessage, OwnState,
    RefusedMessage,
};
use assent_protocol::a2h::ToolCall;
use assent_sealing::{Endpoint, Peer};
use assent_store::{Tx, Work};
use zeroize::Zeroizing;

use crate::{
    RelationSummary,
    calls::{self, StoredCall},
    pending_call::CallEnd,
    relations,
};

/// Returns the own keys.
pub(crate) struct LoadOwnState(pub(crate) Mailbox);

/// Records that the relay has the keys.
pub(crate) struct Registered(pub(crate) Mailbox, pub(crate) Endpoint);

/// Stores relations.
pub(crate) struct PutRelations(pub(crate) Vec<RelationSummary>);

/// Lists relations.
pub(crate) struct AllRelations;

/// Finds the relation of a conversation and the devices of the person.
pub(crate) struct FindRecipients(pub(crate) Mailbox, pub(crate) ConversationId);

/// The relation of a conversation and the devices of the person.
pub(crate) struct Recipients {
    pub(crate) relation: RelationSummary,
    pub(crate) devices: Vec<Endpoint>,
    pub(crate) have_changed: bool,
}

/// Finds the person that a device belongs to.
pub(crate) struct OwnerOf(pub(crate) Mailbox, pub(crate) Endpoint);

/// Lists the devices of a person.
pub(crate) struct DevicesOf(pub(crate) Mailbox, pub(crate) UserId);

/// Stores a device of a person.
pub(crate) struct PutPeer(pub(crate) Mailbox, pub(crate) Principal, pub(crate) Peer);

/// Puts a message into the outbox.
pub(crate) struct Enqueue(pub(crate) Mailbox, pub(crate) OutgoingMessage);

/// Finds a call.
pub(crate) struct FindCall(pub(crate) Mailbox, pub(crate) CallId);

/// Stores a call and puts its message into the outbox. Returns the call that was stored before under the same id,
/// if any.
pub(crate) struct StartCall {
    pub(crate) mailbox: Mailbox,
    pub(crate) call: StoredCall,
    pub(crate) devices: Vec<Endpoint>,
}

/// What became of a call that was withdrawn.
pub(crate) enum Withdrawal {
    /// The message with this id, which asks for the call, was still in the outbox and was removed.
    Unsent(ClientMessageId),
    /// The device is asked to withdraw it. The relay has not acknowledged the message that asks for the call.
    RequestedBeforeAcknowledged,
    /// The device is asked to withdraw it.
    Requested,
    /// It is not known, or has ended.
    HasEnded,
}

/// Withdraws a call, which is forgotten if `forget` is set.
pub(crate) struct WithdrawCall {
    pub(crate) mailbox: Mailbox,
    pub(crate) call_id: CallId,
    pub(crate) message: Option<OutgoingMessage>,
    pub(crate) forget: bool,
}

/// Lists the calls that were not waited for to their end.
pub(crate) struct AllCalls(pub(crate) Mailbox);

/// Forgets a call whose end was returned.
pub(crate) struct ForgetCall(pub(crate) CallId);

/// Finds the first entry of the inbox after an event.
pub(crate) struct NextEntry(pub(crate) Mailbox, pub(crate) EventSeq);

/// Removes an entry that was handled.
pub(crate) struct RemoveEntry(pub(crate) Mailbox, pub(crate) EventSeq);

/// Stores the end of a call and removes the entry that brought it. Returns `false` if the call is not known.
pub(crate) struct EndCall {
    pub(crate) mailbox: Mailbox,
    pub(crate) entry: EventSeq,
    pub(crate) conversation: ConversationId,
    pub(crate) call_id: CallId,
    pub(crate) end: CallEnd,
}

/// Moves the deadline of a call to a later time and removes the entry that brought the news. Returns the deadline; `None`
/// if the call is not known.
pub(crate) struct ExtendCall {
    pub(crate) mailbox: Mailbox,
    pub(crate) entry: EventSeq,
    pub(crate) conversation: ConversationId,
    pub(crate) call_id: CallId,
    pub(crate) deadline: Option<UnixMillis>,
}

/// Sends the calls of a conversation again that have no answer, under new message ids. Returns the ids of the messages
/// before.
pub(crate) struct RepeatCalls {
    pub(crate) mailbox: Mailbox,
    pub(crate) entry: EventSeq,
    pub(crate) conversation: ConversationId,
    pub(crate) device: Endpoint,
    pub(crate) message_ids: Vec<ClientMessageId>,
}

/// Records what an event says about a relation, and ends its calls if there is a reason to.
pub(crate) struct ChangeRelation {
    pub(crate) mailbox: Mailbox,
    pub(crate) event_id: EventSeq,
    pub(crate) relation_id: RelationId,
    pub(crate) relation: Option<RelationSummary>,
    pub(crate) is_active: bool,
    pub(crate) end: Option<CallEnd>,
}

/// Takes the next message that was refused. If it asked for a call, the call ends. If the keys of the device have
/// changed, all calls of the conversation end: no answer to them could be opened.
pub(crate) struct TakeRefused(pub(crate) Mailbox);

/// A message that was refused, and the calls that end with it.
pub(crate) struct TakenRefusal {
    pub(crate) refused: RefusedMessage,
    pub(crate) calls: Vec<CallId>,
    pub(crate) end: CallEnd,
}

impl Work for LoadOwnState {
    type Output = OwnState;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<OwnState, MailboxError> {
        self.0.own_state(tx).await
    }
}

impl Work for Registered {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.0.set_endpoint(tx, self.1).await?;
        self.0.prekeys_published(tx).await
    }
}

impl Work for PutRelations {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        for relation in &self.0 {
            relations::put(tx, relation).await?;
        }
        Ok(())
    }
}

impl Work for AllRelations {
    type Output = Vec<RelationSummary>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        relations::all(tx).await
    }
}

impl Work for FindRecipients {
    type Output = Option<Recipients>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        let Some(relation) = relations::find(tx, self.1).await? else { return Ok(None) };
        let devices = self.0.endpoints_of(tx, relation.user_id.into()).await?;
        let mut have_changed = false;
        for device in &devices {
            let peer = self.0.peer(tx, *device).await?;
            have_changed |= peer.is_some_and(|peer| peer.has_changed());
        }
        Ok(Some(Recipients { relation, devices, have_changed }))
    }
}

impl Work for OwnerOf {
    type Output = Option<Principal>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Option<Principal>, MailboxError> {
        self.0.owner_of(tx, self.1).await
    }
}

impl Work for DevicesOf {
    type Output = Vec<Peer>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Vec<Peer>, MailboxError> {
        let mut peers = Vec::new();
        for endpoint in self.0.endpoints_of(tx, self.1.into()).await? {
            peers.extend(self.0.peer(tx, endpoint).await?);
        }
        Ok(peers)
    }
}

impl Work for PutPeer {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        if self.0.peer(tx, self.2.endpoint()).await?.is_none() {
            self.0.put_peer(tx, self.1, &self.2).await?;
        }
        Ok(())
    }
}

impl Work for Enqueue {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.0.enqueue(tx, &self.1).await
    }
}

impl Work for FindCall {
    type Output = Option<StoredCall>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        calls::find(tx, &self.0, &self.1).await
    }
}

impl Work for StartCall {
    type Output = Option<StoredCall>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        if let Some(stored) = calls::find(tx, &self.mailbox, &self.call.call_id).await? {
            return Ok(Some(stored));
        }
        calls::insert(tx, &self.mailbox, &self.call).await?;
        let message_id = self.call.client_message_id.clone();
        let message = tool_call_message(&self.call, message_id, self.devices.clone());
        self.mailbox.enqueue(tx, &message).await?;
        Ok(None)
    }
}

impl Work for WithdrawCall {
    type Output = Withdrawal;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Withdrawal, MailboxError> {
        let stored = calls::find(tx, &self.mailbox, &self.call_id).await?;
        let open = stored.filter(|call| call.answer.is_none());
        if self.forget {
            calls::remove(tx, &self.call_id).await?;
        }
        let Some(call) = open else { return Ok(Withdrawal::HasEnded) };
        let message_id = call.client_message_id;
        let state = self.mailbox.outbox_state(tx, call.conversation, &message_id).await?;
        if state == Some(OutboxState::Waiting) {
            self.mailbox.remove_message(tx, call.conversation, &message_id).await?;
            if !self.forget {
                let end = CallEnd::Canceled.to_json();
                calls::set_answer(tx, &self.mailbox, &self.call_id, &end).await?;
            }
            return Ok(Withdrawal::Unsent(message_id));
        }
        if let Some(message) = &self.message {
            self.mailbox.enqueue(tx, message).await?;
        }
        Ok(match state {
            Some(_) => Withdrawal::RequestedBeforeAcknowledged,
            None => Withdrawal::Requested,
        })
    }
}

impl Work for AllCalls {
    type Output = Vec<StoredCall>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        calls::all(tx, &self.0).await
    }
}

impl Work for ForgetCall {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        calls::remove(tx, &self.0).await
    }
}

impl Work for NextEntry {
    type Output = Option<InboxEntry>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        self.0.next_entry(tx, self.1).await
    }
}

impl Work for RemoveEntry {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.0.remove_entry(tx, self.1).await
    }
}

impl Work for EndCall {
    type Output = bool;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<bool, MailboxError> {
        let call = calls::find(tx, &self.mailbox, &self.call_id).await?;
        if call.is_none_or(|call| call.conversation != self.conversation || call.answer.is_some()) {
            return Ok(false);
        }
        calls::set_answer(tx, &self.mailbox, &self.call_id, &self.end.to_json()).await?;
        self.mailbox.remove_entry(tx, self.entry).await?;
        Ok(true)
    }
}

impl Work for ExtendCall {
    type Output = Option<UnixMillis>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        let call = calls::find(tx, &self.mailbox, &self.call_id).await?;
        let is_open =
            |call: &StoredCall| call.conversation == self.conversation && call.answer.is_none();
        let Some(call) = call.filter(is_open) else { return Ok(None) };
        let deadline = self.deadline.map_or(call.deadline, |until| until.max(call.deadline));
        calls::set_deadline(tx, &self.call_id, deadline).await?;
        self.mailbox.remove_entry(tx, self.entry).await?;
        Ok(Some(deadline))
    }
}

impl Work for RepeatCalls {
    type Output = Vec<ClientMessageId>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        let mut replaced = Vec::new();
        let open = calls::of_conversation(tx, self.conversation).await?;
        for (call_id, message_id) in open.iter().zip(&self.message_ids) {
            let call = calls::find(tx, &self.mailbox, call_id).await?;
            let Some(call) = call else { continue };
            let message = tool_call_message(&call, message_id.clone(), vec![self.device]);
            self.mailbox.remove_message(tx, call.conversation, &call.client_message_id).await?;
            calls::set_message(tx, call_id, message_id).await?;
            self.mailbox.enqueue(tx, &message).await?;
            replaced.push(call.client_message_id);
        }
        self.mailbox.remove_entry(tx, self.entry).await?;
        Ok(replaced)
    }
}

/// The message that asks for a call.
pub(crate) fn tool_call_message(
    call: &StoredCall,
    client_message_id: ClientMessageId,
    recipients: Vec<Endpoint>,
) -> OutgoingMessage {
    OutgoingMessage {
        conversation: call.conversation,
        client_message_id,
        subtype: ToolCall::MSG_SUBTYPE,
        content_type: ToolCall::CONTENT_TYPE,
        recipients,
        content: Zeroizing::new(call.tool_call.to_vec()),
    }
}

impl Work for ChangeRelation {
    type Output = Vec<CallId>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Vec<CallId>, MailboxError> {
        // The event stays in the inbox until handlers have run, and may come here again after a restart.
        if relations::last_change(tx).await? >= self.event_id {
            return Ok(Vec::new());
        }
        relations::set_last_change(tx, self.event_id).await?;
        match &self.relation {
            Some(relation) => relations::put(tx, relation).await?,
            None => relations::set_active(tx, self.relation_id, self.is_active).await?,
        }
        let Some(end) = &self.end else { return Ok(Vec::new()) };
        let Some(conversation) = relations::conversation_of(tx, self.relation_id).await? else {
            return Ok(Vec::new());
        };
        let open = calls::of_conversation(tx, conversation).await?;
        for call_id in &open {
            calls::set_answer(tx, &self.mailbox, call_id, &end.to_json()).await?;
        }
        Ok(open)
    }
}

impl Work for TakeRefused {
    type Output = Option<TakenRefusal>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        let Some(refused) = self.0.next_refused(tx).await? else { return Ok(None) };
        let end = CallEnd::Refused { code: refused.code.clone() };
        let calls = if refused.code == KEYS_CHANGED {
            calls::of_conversation(tx, refused.conversation).await?
        } else {
            calls::of_message(tx, &refused.client_message_id).await?.into_iter().collect()
        };
        for call_id in &calls {
            calls::set_answer(tx, &self.0, call_id, &end.to_json()).await?;
        }
        self.0.remove_message(tx, refused.conversation, &refused.client_message_id).await?;
        Ok(Some(TakenRefusal { refused, calls, end }))
    }
}
