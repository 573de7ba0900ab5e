//! Handlers of what happens to an agent.

use std::{
    error::Error,
    fmt,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use assent_ids::{ConversationId, EventSeq, MessageId, UserId};
use assent_protocol::a2h::{RelayEvent, ToolResponse};
use serde_json::Value;

/// What a handler returns. An error is logged; the other handlers still run.
pub type HandlerResult = Result<(), Box<dyn Error + Send + Sync>>;

type Running = Pin<Box<dyn Future<Output = HandlerResult> + Send>>;

/// Identifies a handler, to remove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandlerId(u64);

/// A message of a person.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct IncomingMessage {
    /// The conversation.
    pub conversation_id: ConversationId,
    /// The message.
    pub message_id: MessageId,
    /// The person whose device sent it.
    pub sender: Option<UserId>,
    /// The content, such as `{"type":"text","text":…}`.
    pub content: Value,
    /// Whether handlers may have run for it before, in a process that ended.
    pub redelivered: bool,
}

impl IncomingMessage {
    /// The text, if it is a message with a text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        let is_text = self.content.get("type").and_then(Value::as_str) == Some("text");
        self.content.get("text").and_then(Value::as_str).filter(|_| is_text)
    }
}

/// Something that happened to the agent.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AgentEvent {
    /// An event of the relay: a relation began, changed or ended.
    Relay(Box<RelayEvent>),
    /// An answer to a call that is not waited for.
    ToolResponse {
        /// The conversation.
        conversation_id: ConversationId,
        /// The answer.
        response: Box<ToolResponse>,
    },
    /// A message could not be opened. It changed nothing.
    Refused {
        /// The conversation, as the relay says.
        conversation_id: ConversationId,
        /// The number of the event.
        event_id: EventSeq,
        /// The code of the reason.
        reason: String,
    },
}

/// The handlers of one kind of thing.
pub(crate) struct Handlers<T> {
    list: Mutex<HandlerList<T>>,
}

type Handler<T> = Arc<dyn Fn(T) -> Running + Send + Sync>;

struct HandlerList<T> {
    next_id: u64,
    handlers: Vec<(HandlerId, Handler<T>)>,
}

impl<T> Default for Handlers<T> {
    fn default() -> Self {
        Self { list: Mutex::new(HandlerList { next_id: 0, handlers: Vec::new() }) }
    }
}

impl<T: Clone> Handlers<T> {
    fn lock(&self) -> MutexGuard<'_, HandlerList<T>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add<F, R>(&self, handler: F) -> HandlerId
    where
        F: Fn(T) -> R + Send + Sync + 'static,
        R: Future<Output = HandlerResult> + Send + 'static,
    {
        let mut list = self.lock();
        let id = HandlerId(list.next_id);
        list.next_id += 1;
        list.handlers.push((id, Arc::new(move |thing| Box::pin(handler(thing)))));
        id
    }

    pub(crate) fn remove(&self, id: HandlerId) -> bool {
        let mut list = self.lock();
        let before = list.handlers.len();
        list.handlers.retain(|(present, _)| *present != id);
        list.handlers.len() < before
    }

    /// Runs all handlers, in the order in which they were added.
    pub(crate) async fn run(&self, thing: T) {
        let handlers: Vec<Handler<T>> =
            self.lock().handlers.iter().map(|(_, handler)| Arc::clone(handler)).collect();
        for handler in handlers {
            if let Err(error) = handler(thing.clone()).await {
                tracing::warn!(%error, "a handler failed");
            }
        }
    }
}

impl<T> fmt::Debug for Handlers<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handlers").finish_non_exhaustive()
    }
}
