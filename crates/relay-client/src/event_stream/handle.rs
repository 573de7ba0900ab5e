//! Sending on the connection of a stream.

use std::time::Duration;

use assent_ids::EventSeq;
use assent_relay_api::{
    operations::conversations::SendMessage,
    path::ConversationPath,
    socket::{ClientFrame, MessageSend, MessageSent},
    value::Secret,
};
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::timeout,
};

use super::{
    SendError,
    unanswered::{Outcome, PendingMessage},
};
use crate::{Client, Credentials, Refusal, Retries, connection::write_frame};

/// Sends messages and acknowledges events on the connection of an [`EventStream`](crate::EventStream). Clones are cheap
/// and share the connection.
#[derive(Clone, Debug)]
pub struct EventStreamHandle {
    messages: mpsc::Sender<PendingMessage>,
    acknowledged: watch::Sender<Option<EventSeq>>,
    client: watch::Sender<Client>,
    send_timeout: Duration,
}

impl EventStreamHandle {
    pub(super) const fn new(
        messages: mpsc::Sender<PendingMessage>,
        acknowledged: watch::Sender<Option<EventSeq>>,
        client: watch::Sender<Client>,
        send_timeout: Duration,
    ) -> Self {
        Self { messages, acknowledged, client, send_timeout }
    }

    /// Sends a message and waits until the relay has stored it.
    ///
    /// If the connection breaks before the answer, the message is sent again under its `client_message_id`, so that it
    /// is stored once. A message that does not fit into a frame goes by HTTP; so do all messages while the consumer of
    /// the stream is behind, because their answers come after events that it has not taken.
    ///
    /// # Errors
    /// If the relay refuses the message, or does not answer within [`send_timeout`](crate::ConnectOptions::send_timeout).
    pub async fn send(&self, message: MessageSend) -> Result<MessageSent, SendError> {
        let answer = timeout(self.send_timeout, self.send_without_timeout(message)).await;
        answer.unwrap_or(Err(SendError::Timeout))
    }

    /// Acknowledges all events up to this one: they do not come again on a connection without `resume_after`.
    pub fn acknowledge(&self, event_id: EventSeq) {
        self.acknowledged.send_if_modified(|acknowledged| {
            let is_new = acknowledged.is_none_or(|last| last < event_id);
            if is_new {
                *acknowledged = Some(event_id);
            }
            is_new
        });
    }

    /// Goes on with another token. A stream that has yielded an error reconnects with it.
    pub fn renew(&self, token: Secret) {
        self.client.send_modify(|client| {
            *client = client.with_credentials(Credentials::Bearer(token));
        });
    }

    async fn send_without_timeout(&self, message: MessageSend) -> Result<MessageSent, SendError> {
        if self.messages.is_closed() {
            return Err(SendError::Closed);
        }
        let frame = ClientFrame::MessageSend(Box::new(message.clone()));
        let Ok(frame) = write_frame(&frame) else { return self.post(message).await };
        let (reply, outcome) = oneshot::channel();
        let pending = PendingMessage {
            conversation_id: message.conversation_id,
            client_message_id: message.message.client_message_id.clone(),
            frame,
            reply: Some(reply),
        };
        self.messages.send(pending).await.map_err(|_| SendError::Closed)?;
        match outcome.await.map_err(|_| SendError::Closed)? {
            Outcome::Sent(sent) => Ok(sent),
            Outcome::Refused(error) => Err(SendError::Refused(Box::new(Refusal::of_frame(*error)))),
            Outcome::ConsumerBehind => self.post(message).await,
            Outcome::Disconnected => Err(SendError::Disconnected),
        }
    }

    /// Sends a message by HTTP.
    async fn post(&self, message: MessageSend) -> Result<MessageSent, SendError> {
        let client = self.client.borrow().with_retries(Retries::PATIENT);
        let MessageSend { conversation_id, message } = message;
        let path = ConversationPath { conversation_id };
        let sent = client.call::<SendMessage>(&path, &(), &message).await?;
        let client_message_id = message.client_message_id;
        Ok(MessageSent { conversation_id, client_message_id, sent })
    }
}
