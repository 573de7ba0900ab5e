//! A message on the socket: what an HTTP request would do, without the request.
//!
//! Who sends waits until the message is durable. The answer is written by whoever hears of that first, as events are:
//! messages that become durable together are answered in one go, and their senders' tasks wake up afterwards.

use std::sync::Arc;

use assent_ids::{ClientMessageId, ConversationId};
use assent_relay_api::{
    Operation as _,
    operations::messages::{SendMessage, SentMessage},
    socket::{MessageRefused, MessageSend, MessageSent, ServerFrame},
};
use tokio::{
    sync::oneshot,
    time::{Instant, timeout_at},
};

use super::{
    End,
    client::Client,
    wire::{Wire, encoded},
};
use crate::{
    caller::Caller,
    http::admit_again,
    operations::{Outcome, Sending},
    refusal::Refusal,
    relay::Relay,
};

/// What came of a message.
type Sent = Result<(SentMessage, Outcome), Refusal>;

/// Sends a message for whoever is connected. Every message has one answer.
pub(super) async fn send_message(
    relay: &Arc<Relay>,
    wire: &mut Wire,
    client: &mut Client,
    MessageSend { conversation_id, message }: MessageSend,
) -> Result<(), End> {
    let letter = Arc::new(Letter {
        caller: client.caller().clone(),
        conversation_id,
        client_message_id: message.client_message_id.clone(),
        began: Instant::now(),
    });
    let patience = letter.began + relay.settings.limits.request;
    // The connection is closed when its credential ends, but perhaps a moment later.
    let admitted = timeout_at(patience, admit_again(relay, client.caller())).await;
    let admitted = admitted.unwrap_or_else(|_| Err(Refusal::too_slow()));
    let sender = match admitted.and_then(|()| client.caller().party()) {
        Ok(sender) => sender,
        Err(refusal) => return letter.refuse(relay, wire, client, refusal).await,
    };
    let sending = Sending::new(relay, sender, conversation_id, message);
    let way_back = client.expect_answer(wire);
    let (told, heard) = oneshot::channel::<()>();
    let (relay_then, letter_then) = (Arc::clone(relay), Arc::clone(&letter));
    relay.commit_then(sending, move |sent, outbox| {
        let status = status(&sent);
        let answer = encoded(&letter_then.answered(sent));
        if answer.is_ok_and(|answer| way_back.answer(answer, &outbox.events)) {
            letter_then.record(&relay_then, status);
        }
        drop(told);
    });
    let in_time = timeout_at(patience, heard).await.is_ok();
    if !client.is_unanswered() {
        return Ok(());
    }
    let why = if in_time { relay.fault() } else { Refusal::too_slow() };
    letter.refuse(relay, wire, client, why).await
}

/// A message, as its answer speaks of it.
struct Letter {
    caller: Caller,
    conversation_id: ConversationId,
    client_message_id: ClientMessageId,
    began: Instant,
}

impl Letter {
    async fn refuse(
        &self,
        relay: &Arc<Relay>,
        wire: &mut Wire,
        client: &mut Client,
        why: Refusal,
    ) -> Result<(), End> {
        self.record(relay, why.code().http_status());
        client.answer(relay, wire, &self.answered(Err(why))).await
    }

    fn answered(&self, sent: Sent) -> ServerFrame {
        let (conversation_id, client_message_id) =
            (self.conversation_id, self.client_message_id.clone());
        match sent {
            Ok((sent, _)) => {
                ServerFrame::MessageSent(MessageSent { conversation_id, client_message_id, sent })
            }
            Err(refusal) => ServerFrame::MessageRefused(Box::new(MessageRefused {
                conversation_id: Some(conversation_id),
                client_message_id: Some(client_message_id),
                error: refusal.into_error(),
            })),
        }
    }

    /// Counted and logged as a request is.
    fn record(&self, relay: &Relay, status: u16) {
        let took = self.began.elapsed();
        relay.metrics.answered(SendMessage::ID, status, took);
        let (ms, caller) = (took.as_secs_f64() * 1000.0, &self.caller);
        tracing::info!(operation = SendMessage::ID, status, ms, %caller, "message on a socket");
    }
}

/// The status that a request would have.
fn status(sent: &Sent) -> u16 {
    match sent {
        Ok((_, Outcome::Stored)) => SendMessage::SUCCESS,
        Ok((_, Outcome::StoredBefore)) => 200,
        Err(refusal) => refusal.code().http_status(),
    }
}
