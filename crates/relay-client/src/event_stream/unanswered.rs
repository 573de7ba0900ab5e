//! Messages without an answer.

use std::collections::VecDeque;

use assent_ids::{ClientMessageId, ConversationId};
use assent_protocol::a2h::ApiError;
use assent_relay_api::socket::{MessageRefused, MessageSent};
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// Messages that may wait for their answers on a connection.
const MAX_UNANSWERED: usize = 256;

/// What became of a message.
#[derive(Debug)]
pub(super) enum Outcome {
    Sent(MessageSent),
    Refused(Box<ApiError>),
    /// The answer cannot be read before the consumer takes events: send the message another way.
    ConsumerBehind,
    /// The stream waits for another token.
    Disconnected,
}

/// A message on its way.
#[derive(Debug)]
pub(super) struct PendingMessage {
    pub(super) conversation_id: ConversationId,
    pub(super) client_message_id: ClientMessageId,
    pub(super) frame: Utf8Bytes,
    /// `None` once the sender does not wait for this connection.
    pub(super) reply: Option<oneshot::Sender<Outcome>>,
}

/// Messages without an answer, in the order in which they were sent. A message whose sender does not wait any more stays
/// here until its answer comes or the connection ends, because each frame has an answer of its own.
#[derive(Debug, Default)]
pub(super) struct Unanswered(VecDeque<PendingMessage>);

impl PendingMessage {
    /// Whether the sender waits.
    pub(super) fn is_awaited(&self) -> bool {
        self.reply.as_ref().is_some_and(|reply| !reply.is_closed())
    }

    pub(super) fn reply(&mut self, outcome: Outcome) {
        if let Some(reply) = self.reply.take() {
            // The sender may have stopped waiting.
            let _is_awaited = reply.send(outcome);
        }
    }
}

impl Unanswered {
    pub(super) fn is_full(&self) -> bool {
        self.0.len() >= MAX_UNANSWERED
    }

    pub(super) fn push(&mut self, message: PendingMessage) {
        self.0.push_back(message);
    }

    /// Forgets messages without a sender that waits, and gives the frames of the others for another connection.
    pub(super) fn start_again(&mut self) -> impl Iterator<Item = &Utf8Bytes> {
        self.0.retain(PendingMessage::is_awaited);
        self.0.iter().map(|message| &message.frame)
    }

    pub(super) fn sent(&mut self, sent: MessageSent) {
        if let Some(mut message) = self.take(sent.conversation_id, &sent.client_message_id) {
            message.reply(Outcome::Sent(sent));
        }
    }

    pub(super) fn refused(&mut self, refused: MessageRefused) {
        // Without its names, the relay could not read the frame.
        if let (Some(conversation), Some(id)) =
            (refused.conversation_id, &refused.client_message_id)
            && let Some(mut message) = self.take(conversation, id)
        {
            message.reply(Outcome::Refused(Box::new(refused.error)));
        }
    }

    /// Lets all senders send their messages another way.
    pub(super) fn hand_over(&mut self) {
        for message in &mut self.0 {
            message.reply(Outcome::ConsumerBehind);
        }
    }

    /// Lets all senders fail.
    pub(super) fn disconnect(&mut self) {
        for mut message in self.0.drain(..) {
            message.reply(Outcome::Disconnected);
        }
    }

    fn take(
        &mut self,
        conversation: ConversationId,
        id: &ClientMessageId,
    ) -> Option<PendingMessage> {
        let is_it = |message: &PendingMessage| {
            message.conversation_id == conversation && message.client_message_id == *id
        };
        let index = self.0.iter().position(is_it)?;
        self.0.remove(index)
    }
}
