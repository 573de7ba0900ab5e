//! The agent: connecting, sending, calling.

use std::{
    fmt,
    fs::{self, File},
    io,
    os::unix::fs::DirBuilderExt as _,
    path::Path,
    sync::{Arc, Mutex},
};

use assent_ids::{
    AgentId, ClientMessageId, ConversationId, Entropy, EventSeq, SystemClock, SystemEntropy,
};
use assent_mailbox::{Mailbox, MailboxSync, SyncStatus, TABLES, open_key_file};
use assent_relay_api::{operations::agents::RegisterAgentKeys, path::AgentPath};
use assent_relay_client::{Client, Credentials, SocketRole};
use assent_sealing::Endpoint;
use assent_store::{Database, Location, Migration};
use serde_json::Value;
use tokio::{sync::watch, task::AbortHandle};

use crate::{
    AgentError, AgentEvent, AgentOptions, AgentState, CallError, HandlerId, HandlerResult,
    IncomingMessage, PendingCall, RelationSummary, ToolRequest,
    content::Content,
    deliver,
    handlers::Handlers,
    pending_call::CallEnd,
    relations, settle,
    shared::Shared,
    sync_delegate::AgentSyncDelegate,
    works::{AllCalls, AllRelations, LoadOwnState, Registered, StartCall},
};

const MIGRATIONS: &[Migration] =
    &[TABLES, Migration { name: "agent", sql: include_str!("tables.sql") }];

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

/// The tasks that handle what arrives. When they end, nothing answers calls any more.
struct Delivery {
    tasks: [AbortHandle; 2],
    shared: Arc<Shared>,
}

impl Drop for Delivery {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
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
            (AgentState::Temporary, None) => {
                return Err(io::Error::from(io::ErrorKind::NotFound).into());
            }
        };
        let lock = lock_directory(directory)?;
        let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy::new()?);
        let key = open_key_file(&directory.join("storage.key"), &*entropy)?;
        let mailbox = Mailbox::new(key, Arc::new(SystemClock), Arc::clone(&entropy));
        let location = Location::Sqlite(directory.join("agent.db"));
        let database = Database::open(&location, MIGRATIONS).await?;
        let client = Client::new(&options.relay, Credentials::Bearer(options.token))?;
        let last_before = register(&database, &mailbox, &client, options.agent_id).await?;
        relations::load(&database, &client).await?;
        let delegate = Arc::new(AgentSyncDelegate {
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
            settled: watch::Sender::new(EventSeq::default()),
            waiting: Mutex::default(),
            _lock: lock,
            _temporary: temporary,
        });
        let settle = tokio::spawn(settle::run(Arc::clone(&shared)));
        let deliver = tokio::spawn(deliver::run(Arc::clone(&shared), last_before));
        let tasks = [settle.abort_handle(), deliver.abort_handle()];
        let delivery = Delivery { tasks, shared: Arc::clone(&shared) };
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
    pub async fn send(&self, conversation: ConversationId, text: &str) -> Result<Sent, AgentError> {
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

/// Registers the keys of the agent, unless that is done. Returns the last event that was received.
async fn register(
    database: &Database,
    mailbox: &Mailbox,
    client: &Client,
    agent_id: AgentId,
) -> Result<EventSeq, AgentError> {
    let own = database.write(LoadOwnState(mailbox.clone())).await?;
    match own.endpoint {
        Some(endpoint) if endpoint == Endpoint::Agent(agent_id) => return Ok(own.last_event_id),
        Some(_) => {
            let reason = "the directory belongs to another agent";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason).into());
        }
        None => {}
    }
    let keys = own.new_agent_keys()?;
    client.call::<RegisterAgentKeys>(&AgentPath { agent_id }, &(), &keys).await?;
    database.write(Registered(mailbox.clone(), Endpoint::Agent(agent_id))).await?;
    Ok(own.last_event_id)
}
