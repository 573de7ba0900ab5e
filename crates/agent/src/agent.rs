//! The agent: its connection, its handlers, its messages.

use std::{
    fmt, mem,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use assent_ids::{AgentId, ConversationId};
use assent_mailbox::SyncStatus;
use serde_json::Value;
use tokio::{sync::watch, task::JoinSet};

use crate::{
    AgentError, AgentEvent, AgentOptions, HandlerId, HandlerResult, IncomingMessage, Outgoing,
    Sent, connect, deliver, settle, shared::Shared, statuses,
};

/// For this long [`Agent::close`] waits for the relay.
const CLOSE_LIMIT: Duration = Duration::from_secs(5);

/// A connected agent. Clones share the connection; it ends with the last clone.
#[derive(Clone)]
pub struct Agent {
    pub(crate) shared: Arc<Shared>,
    tasks: Arc<Tasks>,
}

/// The tasks that handle what arrives. When they end, nothing answers calls any more.
struct Tasks {
    tasks: Mutex<JoinSet<()>>,
    shared: Arc<Shared>,
}

impl Tasks {
    fn take(&self) -> JoinSet<()> {
        mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        drop(self.take());
        self.shared.end_waiting();
    }
}

impl Agent {
    /// Connects an agent. The first time, it makes keys and registers them with the relay.
    ///
    /// What arrives waits until the first handler is added. An agent without handlers can call tools and send messages,
    /// and leaves what people write to it for the next process.
    ///
    /// # Errors
    /// If the state cannot be used, the relay cannot be reached, or it refuses the token.
    pub async fn connect(options: AgentOptions) -> Result<Self, AgentError> {
        let (shared, last_before) = connect::run(options).await?;
        let shared = Arc::new(shared);
        let mut tasks = JoinSet::new();
        tasks.spawn(settle::run(Arc::clone(&shared)));
        tasks.spawn(deliver::run(Arc::clone(&shared), last_before));
        tasks.spawn(statuses::run(Arc::clone(&shared)));
        let tasks = Tasks { tasks: Mutex::new(tasks), shared: Arc::clone(&shared) };
        Ok(Self { shared, tasks: Arc::new(tasks) })
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
        let id = self.shared.messages.add(handler);
        self.shared.has_handlers.send_replace(true);
        id
    }

    /// Runs a handler for everything else that happens. To miss nothing, add it before the message handlers.
    pub fn add_event_handler<F, R>(&self, handler: F) -> HandlerId
    where
        F: Fn(AgentEvent) -> R + Send + Sync + 'static,
        R: Future<Output = HandlerResult> + Send + 'static,
    {
        let id = self.shared.events.add(handler);
        self.shared.has_handlers.send_replace(true);
        id
    }

    /// Runs a handler for every change of the connection. Of changes in quick succession it gets the last one.
    pub fn add_status_handler<F, R>(&self, handler: F) -> HandlerId
    where
        F: Fn(SyncStatus) -> R + Send + Sync + 'static,
        R: Future<Output = HandlerResult> + Send + 'static,
    {
        self.shared.statuses.add(handler)
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

    /// Removes a status handler. Returns `false` if there is none with this id.
    #[must_use]
    pub fn remove_status_handler(&self, id: HandlerId) -> bool {
        self.shared.statuses.remove(id)
    }

    /// Sends a message, such as a text. It is stored when this returns, and sent until the relay has it.
    ///
    /// # Errors
    /// If there is no such conversation, or nothing may be sent to it.
    pub async fn send(
        &self,
        conversation: ConversationId,
        message: impl Into<Outgoing>,
    ) -> Result<Sent, AgentError> {
        self.shared.send(conversation, message.into()).await
    }

    /// Sends an artifact, as [`Self::send`] sends a text. Answers to a `tool_call` that was sent like this arrive as
    /// [`AgentEvent::ToolResponse`].
    ///
    /// # Errors
    /// As for [`Self::send`].
    pub async fn send_artifact(
        &self,
        conversation: ConversationId,
        artifact: &Value,
    ) -> Result<Sent, AgentError> {
        self.shared.send(conversation, Outgoing::artifact(artifact)).await
    }

    /// Disconnects the agent and all its clones, after the relay has stored what waits and handlers have returned, or after
    /// some seconds. Calls that are open go on, and can be waited for after the next start. When this returns, another
    /// process can use the directory.
    pub async fn close(self) {
        let shared = &self.shared;
        if tokio::time::timeout(CLOSE_LIMIT, shared.sending.finish()).await.is_err() {
            tracing::warn!("messages wait for the relay; they are sent after the next start");
        }
        // A message that is being handled is handled to its end, or comes again after the next start.
        let idle = tokio::time::timeout(CLOSE_LIMIT, shared.delivering.lock()).await;
        self.tasks.take().shutdown().await;
        drop(idle);
        shared.sync.stop().await;
        shared.end_waiting();
        shared.unlock();
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agent").field("id", &self.shared.agent_id).finish_non_exhaustive()
    }
}
