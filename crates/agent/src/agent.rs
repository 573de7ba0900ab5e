//! The agent: connecting, sending, calling.

use std::{
    collections::BTreeMap,
    fmt,
    fs::{self, File},
    io,
    os::unix::fs::DirBuilderExt as _,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use assent_ids::{
    AgentId, CallId, ClientMessageId, Clock, ConversationId, Entropy, SystemClock, SystemEntropy,
    ToolName, Ulid, UnixMillis, UserId,
};
use assent_mailbox::{
    DelegateFuture, Mailbox, MailboxError, MailboxSync, OutgoingMessage, SyncDelegate, SyncStatus,
    TABLES, open_key_file,
};
use assent_protocol::{
    a2h::{EventBody, RelayEvent, SenderId, ToolCall},
    wire::{Millis, Timestamp},
};
use assent_relay_api::{
    operations::{
        agents::RegisterAgentKeys,
        relations::{ListRelations, RelationsQuery},
    },
    path::AgentPath,
    value::Secret,
};
use assent_relay_client::{Client, ClientError, Credentials, SocketRole};
use assent_sealing::{Endpoint, Peer};
use assent_store::{Database, Location, Migration};
use serde_json::Value;
use tempfile::TempDir;
use tokio::{sync::watch, task::AbortHandle};

use crate::{
    AgentError, AgentEvent, AgentOptions, AgentState, CallError, HandlerId, HandlerResult,
    IncomingMessage, PendingCall, RelationSummary, ToolRequest,
    calls::StoredCall,
    content::Content,
    deliver,
    device_of::device_of,
    handlers::Handlers,
    pending_call::{CallEnd, CallProgress},
    works::{
        AllCalls, AllRelations, Enqueue, FindRecipients, ForgetCall, LoadOwnState, OwnerOf, PutPeer,
        PutRelations, Recipients, Registered, StartCall, WithdrawCall, tool_call_message,
    },
};

const MIGRATIONS: &[Migration] =
    &[TABLES, Migration { name: "agent", sql: include_str!("tables.sql") }];

/// The most pages of relations that are read.
const MAX_PAGES: usize = 10_000;

/// A connected agent. Clones share the connection; it ends with the last clone.
#[derive(Clone)]
pub struct Agent {
    shared: Arc<Shared>,
    _delivery: Arc<Delivery>,
}

/// A message that was put into the outbox. It is sent as soon as the relay can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The id of the message.
    pub client_message_id: ClientMessageId,
}

/// What the tasks of an agent share.
pub(crate) struct Shared {
    pub(crate) database: Database,
    pub(crate) mailbox: Mailbox,
    pub(crate) sync: MailboxSync,
    pub(crate) messages: Handlers<IncomingMessage>,
    pub(crate) events: Handlers<AgentEvent>,
    agent_id: AgentId,
    client: Client,
    clock: SystemClock,
    entropy: Arc<dyn Entropy>,
    waiting: Mutex<BTreeMap<CallId, watch::Sender<CallProgress>>>,
    _lock: File,
    _temporary: Option<TempDir>,
}

/// The task that handles what arrives. When it ends, nothing answers calls any more.
struct Delivery {
    task: AbortHandle,
    shared: Arc<Shared>,
}

impl Drop for Delivery {
    fn drop(&mut self) {
        self.task.abort();
        self.shared.waiting().clear();
    }
}

impl Agent {
    /// Connects an agent. The first time, it makes keys and registers them with the relay.
    ///
    /// # Errors
    /// If the state cannot be used, the relay cannot be reached, or it refuses the token.
    pub async fn connect(options: AgentOptions) -> Result<Self, AgentError> {
        let temporary = match &options.state {
            AgentState::Directory(_) => None,
            AgentState::Temporary => Some(tempfile::tempdir()?),
        };
        let directory = match (&options.state, &temporary) {
            (AgentState::Directory(directory), _) => directory.as_path(),
            (AgentState::Temporary, Some(directory)) => directory.path(),
            (AgentState::Temporary, None) => return Err(io::Error::from(io::ErrorKind::NotFound).into()),
        };
        let lock = lock_directory(directory)?;
        let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy::new()?);
        let key = open_key_file(&directory.join("storage.key"), &*entropy)?;
        let mailbox = Mailbox::new(key, Arc::new(SystemClock), Arc::clone(&entropy));
        let location = Location::Sqlite(directory.join("agent.db"));
        let database = Database::open(&location, MIGRATIONS).await?;
        let client = Client::new(&options.relay, Credentials::Bearer(options.token))?;
        register(&database, &mailbox, &client, options.agent_id).await?;
        load_relations(&database, &client).await?;
        let delegate = Arc::new(Delegate {
            client: client.clone(),
            database: database.clone(),
            mailbox: mailbox.clone(),
        });
        let role = SocketRole::Agent(options.agent_id);
        let sync = MailboxSync::start(database.clone(), mailbox.clone(), role, delegate);
        let shared = Arc::new(Shared {
            database,
            mailbox,
            sync,
            messages: Handlers::default(),
            events: Handlers::default(),
            agent_id: options.agent_id,
            client,
            clock: SystemClock,
            entropy,
            waiting: Mutex::default(),
            _lock: lock,
            _temporary: temporary,
        });
        let task = tokio::spawn(deliver::run(Arc::clone(&shared))).abort_handle();
        let delivery = Delivery { task, shared: Arc::clone(&shared) };
        Ok(Self { shared, _delivery: Arc::new(delivery) })
    }

    /// The id of the agent.
    #[must_use]
    pub fn id(&self) -> AgentId {
        self.shared.agent_id
    }

    /// The connection to the relay, and every change of it.
    #[must_use]
    pub fn status(&self) -> watch::Receiver<SyncStatus> {
        self.shared.sync.status()
    }

    /// Runs a handler for every message of a person that answers no call. Handlers run in the order in which they were
    /// added, one message after the other.
    pub fn add_message_handler<F, R>(&self, handler: F) -> HandlerId
    where
        F: Fn(IncomingMessage) -> R + Send + Sync + 'static,
        R: Future<Output = HandlerResult> + Send + 'static,
    {
        self.shared.messages.add(handler)
    }

    /// Runs a handler for everything else that happens.
    pub fn add_event_handler<F, R>(&self, handler: F) -> HandlerId
    where
        F: Fn(AgentEvent) -> R + Send + Sync + 'static,
        R: Future<Output = HandlerResult> + Send + 'static,
    {
        self.shared.events.add(handler)
    }

    /// Removes a message handler. Returns `false` if there is none with this id.
    #[must_use]
    pub fn remove_message_handler(&self, id: HandlerId) -> bool {
        self.shared.messages.remove(id)
    }

    /// Removes an event handler. Returns `false` if there is none with this id.
    #[must_use]
    pub fn remove_event_handler(&self, id: HandlerId) -> bool {
        self.shared.events.remove(id)
    }

    /// The relations with people, also those that have ended.
    ///
    /// # Errors
    /// If the state of the agent cannot be read.
    pub async fn relations(&self) -> Result<Vec<RelationSummary>, AgentError> {
        Ok(self.shared.database.read(AllRelations).await?)
    }

    /// Sends a text. It is stored when this returns, and sent until the relay has it.
    ///
    /// # Errors
    /// If there is no such conversation, or nothing may be sent to it.
    pub async fn send(
        &self,
        conversation: ConversationId,
        text: &str,
    ) -> Result<Sent, AgentError> {
        self.shared.send(conversation, Content::text(text)).await
    }

    /// Sends an artifact, as [`Self::send`] sends a text.
    ///
    /// # Errors
    /// As for [`Self::send`].
    pub async fn send_artifact(
        &self,
        conversation: ConversationId,
        artifact: &Value,
    ) -> Result<Sent, AgentError> {
        self.shared.send(conversation, Content::artifact(artifact)).await
    }

    /// Calls a tool on the person's device and waits for the result.
    ///
    /// # Errors
    /// If the call is denied, fails, or has no answer in time.
    pub async fn call_tool(
        &self,
        conversation: ConversationId,
        request: ToolRequest,
    ) -> Result<Value, CallError> {
        self.start_call(conversation, request).await?.await
    }

    /// Calls tools one after the other, and goes on after a call without a result.
    pub async fn call_each(
        &self,
        conversation: ConversationId,
        requests: impl IntoIterator<Item = ToolRequest>,
    ) -> Vec<Result<Value, CallError>> {
        let mut results = Vec::new();
        for request in requests {
            results.push(self.call_tool(conversation, request).await);
        }
        results
    }

    /// Calls tools all at once. The results are in the order of the requests.
    pub async fn call_all(
        &self,
        conversation: ConversationId,
        requests: impl IntoIterator<Item = ToolRequest>,
    ) -> Vec<Result<Value, CallError>> {
        let mut started = Vec::new();
        for request in requests {
            started.push(self.start_call(conversation, request).await);
        }
        let mut results = Vec::new();
        for call in started {
            results.push(match call {
                Ok(call) => call.await,
                Err(error) => Err(error),
            });
        }
        results
    }

    /// Calls a tool on the person's device. The call is stored when this returns.
    ///
    /// # Errors
    /// If there is no such conversation, or nothing may be sent to it.
    pub async fn start_call(
        &self,
        conversation: ConversationId,
        request: ToolRequest,
    ) -> Result<PendingCall, CallError> {
        let shared = &self.shared;
        let recipients = shared.recipients(conversation).await?;
        let (call, message) = shared.new_call(conversation, request, recipients.devices)?;
        let progress = shared.wait_for(&call);
        let call_id = call.call_id.clone();
        let work = StartCall { mailbox: shared.mailbox.clone(), call, message };
        let before = shared.database.write(work).await.map_err(AgentError::from)?;
        if let Some(end) = before.and_then(|before| CallEnd::from_json(&before.answer?)) {
            shared.end_call(&call_id, end);
        }
        shared.sync.outbox_changed();
        let (shared, conversation_id) = (Arc::clone(shared), conversation);
        Ok(PendingCall { shared, call_id, conversation_id, progress })
    }

    /// The calls that were started and not waited for to their end, also by an earlier process.
    ///
    /// # Errors
    /// If the state of the agent cannot be read.
    pub async fn pending_calls(&self) -> Result<Vec<PendingCall>, AgentError> {
        let calls = self.shared.database.read(AllCalls(self.shared.mailbox.clone())).await?;
        let pending = calls.into_iter().map(|call| {
            let progress = self.shared.wait_for(&call);
            let end = call.answer.as_deref().and_then(|answer| CallEnd::from_json(answer));
            if let Some(end) = end {
                self.shared.end_call(&call.call_id, end);
            }
            PendingCall {
                shared: Arc::clone(&self.shared),
                call_id: call.call_id,
                conversation_id: call.conversation,
                progress,
            }
        });
        Ok(pending.collect())
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agent").field("id", &self.shared.agent_id).finish_non_exhaustive()
    }
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

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<CallId, watch::Sender<CallProgress>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
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
        Ok(owner.and_then(|owner| owner.parse().ok()))
    }

    /// The devices that a message to a conversation is sealed to.
    async fn recipients(&self, conversation: ConversationId) -> Result<Recipients, AgentError> {
        let find = || FindRecipients(self.mailbox.clone(), conversation);
        let mut found = self.database.read(find()).await?;
        if found.is_none() {
            load_relations(&self.database, &self.client).await?;
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
            let put = PutPeer(self.mailbox.clone(), user_id.to_string(), peer);
            self.database.write(put).await?;
        }
        Ok(found)
    }

    async fn send(
        &self,
        conversation: ConversationId,
        content: Content,
    ) -> Result<Sent, AgentError> {
        let recipients = self.recipients(conversation).await?.devices;
        let client_message_id = self.new_message_id();
        let message = OutgoingMessage {
            conversation,
            client_message_id: client_message_id.clone(),
            subtype: content.subtype,
            content_type: content.content_type,
            recipients,
            content: content.json,
        };
        self.database.write(Enqueue(self.mailbox.clone(), message)).await?;
        self.sync.outbox_changed();
        Ok(Sent { client_message_id })
    }

    fn new_call(
        &self,
        conversation: ConversationId,
        request: ToolRequest,
        devices: Vec<Endpoint>,
    ) -> Result<(StoredCall, OutgoingMessage), AgentError> {
        let call_id = request.call_id.unwrap_or_else(|| self.new_call_id());
        let tool: ToolName =
            request.tool.parse().map_err(|error| AgentError::Content(format!("{error}")))?;
        let mut tool_call = ToolCall::new(call_id.clone(), tool, request.arguments);
        tool_call.timeout_ms = request.timeout.map(Millis::from);
        if let Some(reason) = request.reason {
            tool_call.extra.insert("reason".to_owned(), reason.into());
        }
        let content = Content::tool_call(&tool_call);
        if content.json.len() > assent_sealing::MAX_CONTENT_BYTES {
            return Err(AgentError::Content("the arguments are too large".to_owned()));
        }
        let call = StoredCall {
            call_id,
            conversation,
            client_message_id: self.new_message_id(),
            tool_call: content.json,
            deadline: self.now().after(request.total_timeout),
            answer: None,
        };
        let message = tool_call_message(&call, call.client_message_id.clone(), devices);
        Ok((call, message))
    }

    /// Follows a call from now on.
    fn wait_for(&self, call: &StoredCall) -> watch::Receiver<CallProgress> {
        let progress = || CallProgress { deadline: call.deadline, pending_until: None, end: None };
        let mut waiting = self.waiting();
        let sender = waiting
            .entry(call.call_id.clone())
            .or_insert_with(|| watch::Sender::new(progress()));
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

    /// Tells the device that a call is not wanted any more.
    pub(crate) async fn withdraw(
        &self,
        call_id: &CallId,
        conversation: ConversationId,
        forget: bool,
    ) -> Result<(), AgentError> {
        let found = self.database.read(FindRecipients(self.mailbox.clone(), conversation)).await?;
        let recipients = found.filter(|found| found.relation.is_active && !found.have_changed);
        let content = Content::cancel(call_id);
        let message = recipients.map(|found| OutgoingMessage {
            conversation,
            client_message_id: self.new_message_id(),
            subtype: content.subtype,
            content_type: content.content_type,
            recipients: found.devices,
            content: content.json,
        });
        let mailbox = self.mailbox.clone();
        let work = WithdrawCall { mailbox, call_id: call_id.clone(), message, forget };
        self.database.write(work).await?;
        if forget {
            self.waiting().remove(call_id);
        }
        self.sync.outbox_changed();
        Ok(())
    }
}

/// What synchronization asks of an agent.
struct Delegate {
    client: Client,
    database: Database,
    mailbox: Mailbox,
}

impl SyncDelegate for Delegate {
    fn client(&self) -> Client {
        self.client.clone()
    }

    fn renew_token(&self) -> DelegateFuture<'_, Option<Secret>> {
        // The token of an agent does not expire. One that was refused stays refused.
        Box::pin(std::future::ready(Ok(None)))
    }

    fn find_peers<'a>(&'a self, event: &'a RelayEvent) -> DelegateFuture<'a, Vec<(String, Peer)>> {
        Box::pin(self.sender_of(event))
    }
}

impl Delegate {
    /// The device of the person who is behind an event, if it is not known yet.
    async fn sender_of(&self, event: &RelayEvent) -> Result<Vec<(String, Peer)>, ClientError> {
        let (relation_id, user_id) = match &event.body {
            EventBody::RelationEstablished(notice) => (notice.relation_id, notice.user_id),
            EventBody::MessageNew(message) => {
                let Some(SenderId::User(_)) = message.sender_id else { return Ok(Vec::new()) };
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
        Ok(peer.map(|peer| (user_id.to_string(), peer)).into_iter().collect())
    }
}

/// Makes the directory, which only its owner can read, and locks it.
fn lock_directory(directory: &Path) -> io::Result<File> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(directory.join("agent.lock"))?;
    file.try_lock().map_err(|_| {
        io::Error::new(io::ErrorKind::AddrInUse, "another process uses this directory")
    })?;
    Ok(file)
}

/// Registers the keys of the agent, unless that is done.
async fn register(
    database: &Database,
    mailbox: &Mailbox,
    client: &Client,
    agent_id: AgentId,
) -> Result<(), AgentError> {
    let own = database.write(LoadOwnState(mailbox.clone())).await?;
    match own.endpoint {
        Some(endpoint) if endpoint == Endpoint::Agent(agent_id) => return Ok(()),
        Some(_) => {
            let reason = "the directory belongs to another agent";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason).into());
        }
        None => {}
    }
    let keys = own.new_agent_keys()?;
    client.call::<RegisterAgentKeys>(&AgentPath { agent_id }, &(), &keys).await?;
    database.write(Registered(mailbox.clone(), Endpoint::Agent(agent_id))).await?;
    Ok(())
}

/// Stores all relations that the relay knows.
async fn load_relations(database: &Database, client: &Client) -> Result<(), AgentError> {
    let mut query = RelationsQuery::default();
    for _ in 0..MAX_PAGES {
        let page = client.call::<ListRelations>(&(), &query, &()).await?;
        let relations = page.data.iter().map(RelationSummary::from).collect();
        database.write(PutRelations(relations)).await?;
        let Some(cursor) = page.next_cursor.and_then(|cursor| cursor.try_into().ok()) else { break };
        query.cursor = Some(cursor);
    }
    Ok(())
}
