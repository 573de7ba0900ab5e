//! The transactions of a device.

use assent_ids::{AuditEntryId, ConversationId, EventSeq, InvocationId, UnixMillis};
use assent_mailbox::{
    InboxEntry, Mailbox, MailboxError, OutgoingMessage, OwnState, RefusedMessage,
};
use assent_protocol::a2h::ToolResponse;
use assent_sealing::{Endpoint, Peer, PublicKeys};
use assent_store::{Tx, Work};
use zeroize::Zeroizing;

use crate::{
    AuditMark, DeviceRelation,
    account::{self, Account},
    audit::{self, Stamp},
    call_record::{self, AnswerId, CallRecord, ReceivedCall},
    messages, relation,
};

/// Returns the own keys and the account.
pub(crate) struct LoadState(pub(crate) Mailbox);

/// Stores the account, or its renewed tokens.
pub(crate) struct SaveAccount(pub(crate) Mailbox, pub(crate) Account);

/// Stores the id of the device.
pub(crate) struct SetEndpoint(pub(crate) Mailbox, pub(crate) Endpoint);

/// Lists the relations.
pub(crate) struct AllRelations(pub(crate) Mailbox);

/// Finds the relation with an agent.
pub(crate) struct FindRelation(pub(crate) Mailbox, pub(crate) assent_ids::AgentId);

/// Returns the own public keys.
pub(crate) struct OwnKeys(pub(crate) Mailbox);

/// Finds a peer.
pub(crate) struct FindPeer(pub(crate) Mailbox, pub(crate) Endpoint);

/// Returns `true` if messages of a conversation wait to be sent.
pub(crate) struct HasOutgoing(pub(crate) Mailbox, pub(crate) ConversationId);

/// Removes the tokens of the session.
pub(crate) struct ForgetTokens(pub(crate) Mailbox);

/// Finds the next entry of the inbox.
pub(crate) struct NextEntry(pub(crate) Mailbox);

/// Removes an entry of the inbox.
pub(crate) struct RemoveEntry(pub(crate) Mailbox, pub(crate) EventSeq);

/// Takes the next message that the relay refused.
pub(crate) struct TakeRefused(pub(crate) Mailbox);

/// Moves a call from the inbox to the calls. A call that was received before gets its answer again.
pub(crate) struct AcceptCall {
    pub(crate) mailbox: Mailbox,
    pub(crate) entry: EventSeq,
    pub(crate) received_at: UnixMillis,
    pub(crate) call: ReceivedCall,
    /// The answer, if the call is not to run.
    pub(crate) answer: Option<ToolResponse>,
    pub(crate) audit_entry_id: AuditEntryId,
}

/// What became of a call.
#[derive(Debug)]
pub(crate) enum Accepted {
    /// It is to run.
    New(Box<CallRecord>),
    /// It is answered, and the audit log has this head.
    Answered(AuditMark),
    /// It was received before.
    Known,
}

/// Records that the agent does not want a call any more. Returns the call, if it is open.
pub(crate) struct WithdrawCall {
    pub(crate) mailbox: Mailbox,
    pub(crate) entry: EventSeq,
    pub(crate) answer_id: AnswerId,
}

/// Lists the calls without answers.
pub(crate) struct OpenCalls(pub(crate) Mailbox);

/// Closes a call, puts its answer into the outbox and records it in the audit log. Returns the head of the log, unless
/// the call was closed before.
pub(crate) struct AnswerCall {
    pub(crate) mailbox: Mailbox,
    pub(crate) answer_id: AnswerId,
    pub(crate) response: ToolResponse,
    pub(crate) stamp: Stamp,
}

impl Work for LoadState {
    type Output = (OwnState, Option<Account>);
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        Ok((self.0.own_state(tx).await?, account::find(tx, &self.0).await?))
    }
}

impl Work for SaveAccount {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        account::save(tx, &self.0, &self.1).await
    }
}

impl Work for ForgetTokens {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        let Some(account) = account::find(tx, &self.0).await? else { return Ok(()) };
        account::save(tx, &self.0, &Account { tokens: None, ..account }).await
    }
}

impl Work for SetEndpoint {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.0.set_endpoint(tx, self.1).await
    }
}

impl Work for AllRelations {
    type Output = Vec<DeviceRelation>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        relation::all(tx, &self.0).await
    }
}

impl Work for FindRelation {
    type Output = Option<DeviceRelation>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        relation::find(tx, &self.0, self.1).await
    }
}

impl Work for OwnKeys {
    type Output = PublicKeys;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<PublicKeys, MailboxError> {
        Ok(self.0.own_state(tx).await?.keys)
    }
}

impl Work for FindPeer {
    type Output = Option<Peer>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        self.0.peer(tx, self.1).await
    }
}

impl Work for HasOutgoing {
    type Output = bool;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<bool, MailboxError> {
        self.0.has_outgoing(tx, self.1).await
    }
}

impl Work for NextEntry {
    type Output = Option<InboxEntry>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        self.0.next_entry(tx, EventSeq::default()).await
    }
}

impl Work for RemoveEntry {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.0.remove_entry(tx, self.1).await
    }
}

impl Work for TakeRefused {
    type Output = Option<RefusedMessage>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        let Some(refused) = self.0.next_refused(tx).await? else { return Ok(None) };
        self.0.remove_message(tx, refused.conversation, &refused.client_message_id).await?;
        messages::refuse(tx, &self.0, refused.conversation, &refused.client_message_id).await?;
        Ok(Some(refused))
    }
}

impl Work for AcceptCall {
    type Output = Accepted;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Accepted, MailboxError> {
        let (mailbox, call) = (&self.mailbox, &self.call);
        let id = AnswerId::of(call.conversation, call.agent_id, &call.call_id);
        mailbox.remove_entry(tx, self.entry).await?;
        if let Some(record) = call_record::find(tx, mailbox, &id).await? {
            if let Some(response) = record.response.clone() {
                enqueue_answer(tx, mailbox, &record, response).await?;
            }
            return Ok(Accepted::Known);
        }
        call_record::insert(tx, mailbox, &id, call, self.received_at).await?;
        let record = CallRecord {
            answer_id: id,
            answers: 0,
            call: call.clone(),
            response: None,
            is_withdrawn: false,
            received_at: self.received_at,
            audit_seq: None,
        };
        match &self.answer {
            Some(answer) => {
                let stamp = Stamp { entry_id: self.audit_entry_id, at: self.received_at };
                close_call(tx, mailbox, &record, answer, stamp).await.map(Accepted::Answered)
            }
            None => Ok(Accepted::New(Box::new(record))),
        }
    }
}

impl Work for WithdrawCall {
    type Output = Option<InvocationId>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        self.mailbox.remove_entry(tx, self.entry).await?;
        let record = call_record::find(tx, &self.mailbox, &self.answer_id).await?;
        let Some(record) = record.filter(|record| record.response.is_none()) else {
            return Ok(None);
        };
        call_record::withdraw(tx, &self.answer_id).await?;
        Ok(Some(record.call.invocation))
    }
}

impl Work for OpenCalls {
    type Output = Vec<CallRecord>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        call_record::open(tx, &self.0).await
    }
}

impl Work for AnswerCall {
    type Output = Option<AuditMark>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, MailboxError> {
        let record = call_record::find(tx, &self.mailbox, &self.answer_id).await?;
        let Some(record) = record.filter(|record| record.response.is_none()) else {
            return Ok(None);
        };
        let head = close_call(tx, &self.mailbox, &record, &self.response, self.stamp).await?;
        Ok(Some(head))
    }
}

/// Stores the answer to a call and puts it into the outbox.
pub(crate) async fn close_call(
    tx: &mut Tx,
    mailbox: &Mailbox,
    record: &CallRecord,
    response: &ToolResponse,
    stamp: Stamp,
) -> Result<AuditMark, MailboxError> {
    let json = serde_json::to_vec(response).map_err(|_| MailboxError::Damaged("answer"))?;
    let json = Zeroizing::new(json);
    let head = audit::append(tx, mailbox, &record.call, response, stamp).await?;
    call_record::close(tx, mailbox, &record.answer_id, &json, head.seq).await?;
    enqueue_answer(tx, mailbox, record, json).await?;
    Ok(head)
}

async fn enqueue_answer(
    tx: &mut Tx,
    mailbox: &Mailbox,
    record: &CallRecord,
    content: Zeroizing<Vec<u8>>,
) -> Result<(), MailboxError> {
    let message = OutgoingMessage {
        conversation: record.call.conversation,
        client_message_id: record.answer_id.message_id(record.answers)?,
        subtype: ToolResponse::MSG_SUBTYPE,
        content_type: ToolResponse::CONTENT_TYPE,
        recipients: vec![Endpoint::Agent(record.call.agent_id)],
        content,
    };
    mailbox.enqueue(tx, &message).await?;
    call_record::count_answer(tx, &record.answer_id).await
}
