//! What the parts of an agent share.

use std::{
    collections::BTreeMap,
    fmt,
    fs::File,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use assent_ids::{
    AgentId, CallId, ClientMessageId, Clock, ConversationId, Entropy, EventSeq, Principal,
    SystemClock, ToolName, Ulid, UnixMillis, UserId,
};
use assent_mailbox::{Mailbox, MailboxError, MailboxSync, OutgoingMessage, SyncStatus};
use assent_protocol::{
    a2h::ToolCall,
    wire::{Millis, Timestamp},
};
use assent_relay_client::Client;
use assent_sealing::{Endpoint, MAX_CONTENT_BYTES};
use assent_store::Database;
use tempfile::TempDir;
use tokio::sync::watch;

use crate::{
    AgentError, AgentEvent, IncomingMessage, Outgoing, RelationSummary, Sent, ToolRequest,
    calls::StoredCall,
    device_of::device_of,
    handlers::Handlers,
    pending_call::{CallEnd, CallProgress},
    relations,
    sent::Sending,
    works::{
        Enqueue, FindRecipients, ForgetCall, OwnerOf, PutPeer, Recipients, WithdrawCall, Withdrawal,
    },
};

/// What the tasks of an agent share.
pub(crate) struct Shared {
    pub(crate) database: Database,
    pub(crate) mailbox: Mailbox,
    pub(crate) sync: MailboxSync,
    pub(crate) messages: Handlers<IncomingMessage>,
    pub(crate) events: Handlers<AgentEvent>,
    pub(crate) statuses: Handlers<SyncStatus>,
    /// Whether handlers were added. Nothing is delivered before.
    pub(crate) has_handlers: watch::Sender<bool>,
    pub(crate) sending: Arc<Sending>,
    pub(crate) agent_id: AgentId,
    pub(crate) relay: String,
    pub(crate) client: Client,
    /// The client with the token that may publish manifests.
    pub(crate) publisher: Option<Client>,
    pub(crate) clock: SystemClock,
    pub(crate) entropy: Arc<dyn Entropy>,
    /// The last event whose meaning for calls was settled.
    pub(crate) settled: watch::Sender<EventSeq>,
    /// Held while handlers run for an entry of the inbox, and until the entry is removed.
    pub(crate) delivering: tokio::sync::Mutex<()>,
    pub(crate) waiting: Mutex<BTreeMap<CallId, watch::Sender<CallProgress>>>,
    /// The lock of the directory, until the agent is closed.
    pub(crate) lock: Mutex<Option<File>>,
    pub(crate) _temporary: Option<TempDir>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("agent_id", &self.agent_id).finish_non_exhaustive()
    }
}

impl Shared {
    pub(crate) fn now(&self) -> UnixMillis {
        self.clock.now()
    }

    pub(crate) fn waiting(&self) -> MutexGuard<'_, BTreeMap<CallId, watch::Sender<CallProgress>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the waiters of calls and messages know that the agent is closed.
    pub(crate) fn end_waiting(&self) {
        self.waiting().clear();
        self.sending.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Option<File>> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets other processes use the directory.
    pub(crate) fn unlock(&self) {
        *self.lock() = None;
    }

    /// An agent that was closed must not write to the directory: another process may use it.
    pub(crate) fn require_open(&self) -> Result<(), AgentError> {
        if self.lock().is_some() { Ok(()) } else { Err(AgentError::Closed) }
    }

    fn ulid(&self) -> Ulid {
        Ulid::generate(&self.clock, &*self.entropy)
    }

    #[expect(clippy::expect_used, reason = "a prefix and a ULID are 30 visible characters")]
    pub(crate) fn new_message_id(&self) -> ClientMessageId {
        format!("msg_{}", self.ulid()).parse().expect("a message id")
    }

    #[expect(clippy::expect_used, reason = "a ULID is a token")]
    fn new_call_id(&self) -> CallId {
        self.ulid().to_string().parse().expect("a call id")
    }

    /// The person that a device belongs to.
    pub(crate) async fn user_of(&self, device: Endpoint) -> Result<Option<UserId>, MailboxError> {
        let owner = OwnerOf(self.mailbox.clone(), device);
        let owner = self.database.read(owner).await?;
        Ok(match owner {
            Some(Principal::User(user_id)) => Some(user_id),
            _ => None,
        })
    }

    /// The devices that a message to a conversation is sealed to.
    pub(crate) async fn recipients(
        &self,
        conversation: ConversationId,
    ) -> Result<Recipients, AgentError> {
        self.require_open()?;
        let find = || FindRecipients(self.mailbox.clone(), conversation);
        let mut found = self.database.read(find()).await?;
        if found.is_none() {
            relations::load(&self.database, &self.client).await?;
            found = self.database.read(find()).await?;
        }
        let mut found = found.ok_or(AgentError::UnknownConversation(conversation))?;
        if !found.relation.is_active {
            return Err(AgentError::RelationInactive);
        }
        if found.have_changed {
            return Err(AgentError::KeysChanged);
        }
        if found.devices.is_empty() {
            let RelationSummary { relation_id, user_id, .. } = found.relation;
            let peer = device_of(&self.client, relation_id, user_id).await?;
            let peer = peer.ok_or(AgentError::NoDevice)?;
            found.devices.push(peer.endpoint());
            let put = PutPeer(self.mailbox.clone(), user_id.into(), peer);
            self.database.write(put).await?;
        }
        Ok(found)
    }

    pub(crate) async fn send(
        &self,
        conversation: ConversationId,
        content: Outgoing,
    ) -> Result<Sent, AgentError> {
        if content.json.len() > MAX_CONTENT_BYTES {
            return Err(AgentError::Content("it is too large".to_owned()));
        }
        let recipients = self.recipients(conversation).await?.devices;
        let message = self.message(conversation, content, recipients);
        let sent = self.sending.start(&message.client_message_id);
        let enqueued = self.database.write(Enqueue(self.mailbox.clone(), message)).await;
        if let Err(error) = enqueued {
            self.sending.forget(sent.client_message_id());
            return Err(error.into());
        }
        self.sync.outbox_changed();
        Ok(sent)
    }

    fn message(
        &self,
        conversation: ConversationId,
        content: Outgoing,
        recipients: Vec<Endpoint>,
    ) -> OutgoingMessage {
        OutgoingMessage {
            conversation,
            client_message_id: self.new_message_id(),
            subtype: content.subtype,
            content_type: content.content_type,
            recipients,
            content: content.json,
        }
    }

    pub(crate) fn new_call(
        &self,
        conversation: ConversationId,
        request: ToolRequest,
    ) -> Result<StoredCall, AgentError> {
        let call_id = request.call_id.unwrap_or_else(|| self.new_call_id());
        let tool: ToolName =
            request.tool.parse().map_err(|error| AgentError::Content(format!("{error}")))?;
        let mut tool_call = ToolCall::new(call_id.clone(), tool, request.arguments);
        tool_call.permission_scope = request.permission_scope.map(Into::into);
        tool_call.timeout_ms = request.timeout.map(Millis::from);
        if let Some(reason) = request.reason {
            tool_call.extra.insert("reason".to_owned(), reason.into());
        }
        let content = Outgoing::tool_call(&tool_call);
        if content.json.len() > MAX_CONTENT_BYTES {
            return Err(AgentError::Content("the arguments are too large".to_owned()));
        }
        Ok(StoredCall {
            call_id,
            conversation,
            client_message_id: self.new_message_id(),
            tool_call: content.json,
            deadline: self.now().after(request.total_timeout),
            answer: None,
        })
    }

    /// Follows a call from now on.
    pub(crate) fn wait_for(&self, call: &StoredCall) -> watch::Receiver<CallProgress> {
        let progress = || CallProgress { deadline: call.deadline, pending_until: None, end: None };
        let mut waiting = self.waiting();
        let sender =
            waiting.entry(call.call_id.clone()).or_insert_with(|| watch::Sender::new(progress()));
        sender.subscribe()
    }

    /// Lets the waiters of a call know that it has ended.
    pub(crate) fn end_call(&self, call_id: &CallId, end: CallEnd) {
        if let Some(progress) = self.waiting().get(call_id) {
            progress.send_modify(|progress| progress.end = Some(end));
        }
    }

    /// Lets the waiters of a call know that it takes longer.
    pub(crate) fn extend_call(
        &self,
        call_id: &CallId,
        deadline: UnixMillis,
        until: Option<Timestamp>,
    ) {
        if let Some(progress) = self.waiting().get(call_id) {
            progress.send_modify(|progress| {
                progress.deadline = deadline;
                progress.pending_until = until;
            });
        }
    }

    pub(crate) async fn forget_call(&self, call_id: &CallId) -> Result<(), AgentError> {
        self.database.write(ForgetCall(call_id.clone())).await?;
        self.waiting().remove(call_id);
        Ok(())
    }

    /// Withdraws a call, and forgets it if `forget` is set.
    pub(crate) async fn withdraw(
        &self,
        call_id: &CallId,
        conversation: ConversationId,
        forget: bool,
    ) -> Result<Withdrawal, AgentError> {
        self.require_open()?;
        let found = self.database.read(FindRecipients(self.mailbox.clone(), conversation)).await?;
        let recipients = found.filter(|found| found.relation.is_active && !found.have_changed);
        let message = recipients
            .map(|found| self.message(conversation, Outgoing::cancel(call_id), found.devices));
        let cancel_id = message.as_ref().map(|message| message.client_message_id.clone());
        if let Some(cancel_id) = &cancel_id {
            self.sending.start(cancel_id);
        }
        let mailbox = self.mailbox.clone();
        let work = WithdrawCall { mailbox, call_id: call_id.clone(), message, forget };
        let withdrawal = self.database.write(work).await;
        if let (Some(cancel_id), Err(_) | Ok(Withdrawal::Unsent(_) | Withdrawal::HasEnded)) =
            (&cancel_id, &withdrawal)
        {
            self.sending.forget(cancel_id);
        }
        let withdrawal = withdrawal?;
        if let Withdrawal::Unsent(message_id) = &withdrawal {
            self.sending.forget(message_id);
            self.end_call(call_id, CallEnd::Canceled);
        }
        if forget {
            self.waiting().remove(call_id);
        }
        self.sync.outbox_changed();
        Ok(withdrawal)
    }
}
