//! Messages on their way to the relay.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use assent_ids::ClientMessageId;
use tokio::sync::watch;

use crate::AgentError;

/// A message that was put into the outbox. It is sent as soon as the relay can be reached.
#[derive(Debug)]
pub struct Sent {
    client_message_id: ClientMessageId,
    outcome: watch::Receiver<Option<Outcome>>,
}

/// What the relay did with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It has stored the message.
    Stored,
    /// It will never store the message, for the reason with this code.
    Refused(String),
}

impl Sent {
    /// The id of the message.
    #[must_use]
    pub const fn client_message_id(&self) -> &ClientMessageId {
        &self.client_message_id
    }

    /// Waits until the relay has stored the message.
    ///
    /// # Errors
    /// If the relay refuses the message, or the agent is closed before it has an answer.
    pub async fn stored(mut self) -> Result<(), AgentError> {
        let outcome = self.outcome.wait_for(Option::is_some).await;
        match outcome.ok().and_then(|outcome| outcome.clone()) {
            Some(Outcome::Stored) => Ok(()),
            Some(Outcome::Refused(code)) => Err(AgentError::from_refusal(code)),
            None => Err(AgentError::Closed),
        }
    }
}

/// The messages that this process has put into the outbox and that the relay has not answered.
#[derive(Debug)]
pub(crate) struct Sending {
    messages: Mutex<BTreeMap<ClientMessageId, watch::Sender<Option<Outcome>>>>,
    count: watch::Sender<usize>,
}

impl Default for Sending {
    fn default() -> Self {
        Self { messages: Mutex::default(), count: watch::Sender::new(0) }
    }
}

impl Sending {
    fn messages(
        &self,
    ) -> MutexGuard<'_, BTreeMap<ClientMessageId, watch::Sender<Option<Outcome>>>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows a message. To be called before it is put into the outbox.
    pub(crate) fn start(&self, client_message_id: &ClientMessageId) -> Sent {
        let sender = watch::Sender::new(None);
        let outcome = sender.subscribe();
        let mut messages = self.messages();
        messages.insert(client_message_id.clone(), sender);
        self.count.send_replace(messages.len());
        Sent { client_message_id: client_message_id.clone(), outcome }
    }

    /// Lets the waiters of a message know what became of it.
    pub(crate) fn end(&self, client_message_id: &ClientMessageId, outcome: Outcome) {
        if let Some(sender) = self.remove(client_message_id) {
            sender.send_replace(Some(outcome));
        }
    }

    /// Follows a message no longer, because it did not enter the outbox or left it.
    pub(crate) fn forget(&self, client_message_id: &ClientMessageId) {
        drop(self.remove(client_message_id));
    }

    /// Follows no message any longer.
    pub(crate) fn clear(&self) {
        self.messages().clear();
        self.count.send_replace(0);
    }

    /// Waits until the relay has answered every message.
    pub(crate) async fn finish(&self) {
        // The sender is in `self`, so that waiting does not fail.
        drop(self.count.subscribe().wait_for(|count| *count == 0).await);
    }

    fn remove(
        &self,
        client_message_id: &ClientMessageId,
    ) -> Option<watch::Sender<Option<Outcome>>> {
        let mut messages = self.messages();
        let removed = messages.remove(client_message_id);
        self.count.send_replace(messages.len());
        removed
    }
}
