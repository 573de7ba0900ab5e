//! A message on the socket: what an HTTP request would do, without the request.

use std::sync::Arc;

use assent_ids::{ClientMessageId, ConversationId};
use assent_relay_api::{
    Operation as _,
    operations::conversations::{NewMessage, SendMessage, SentMessage},
    socket::{MessageRefused, MessageSend, MessageSent, ServerFrame},
};
use tokio::time::{Instant, timeout};

use super::{End, client::Client, writer::SocketWriter};
use crate::{
    conversations::Sending,
    http::{Caller, Outcome, Refusal, admit_again},
    state::Relay,
};

/// Stores a message for the client and answers it. Every message gets exactly one answer.
pub(super) async fn send_message(
    relay: &Arc<Relay>,
    writer: &mut SocketWriter,
    client: &Client,
    MessageSend { conversation_id, message }: MessageSend,
) -> Result<(), End> {
    let (began, client_message_id) = (Instant::now(), message.client_message_id.clone());
    let storing = store(relay, client.caller(), conversation_id, message);
    let stored = timeout(relay.settings.limits.request, storing).await;
    let stored = stored.unwrap_or_else(|_| Err(Refusal::too_slow()));
    record(relay, client.caller(), began, status(&stored));
    writer.send(&answer(conversation_id, client_message_id, stored)).await
}

async fn store(
    relay: &Arc<Relay>,
    caller: &Caller,
    conversation_id: ConversationId,
    message: NewMessage,
) -> Result<(SentMessage, Outcome), Refusal> {
    // The connection is closed when its credential ends, but perhaps a moment later.
    admit_again(relay, caller).await?;
    let sender = caller.party()?;
    relay.commit(Sending::new(relay, sender, conversation_id, message)).await
}

fn answer(
    conversation_id: ConversationId,
    client_message_id: ClientMessageId,
    stored: Result<(SentMessage, Outcome), Refusal>,
) -> ServerFrame {
    match stored {
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

/// The status that a request would have.
fn status(stored: &Result<(SentMessage, Outcome), Refusal>) -> u16 {
    match stored {
        Ok((_, Outcome::Stored)) => SendMessage::SUCCESS,
        Ok((_, Outcome::StoredBefore)) => 200,
        Err(refusal) => refusal.code().http_status(),
    }
}

/// Counts and logs the message as a request is.
fn record(relay: &Relay, caller: &Caller, began: Instant, status: u16) {
    let took = began.elapsed();
    relay.metrics.answered(SendMessage::ID, status, took);
    let ms = took.as_secs_f64() * 1000.0;
    tracing::info!(operation = SendMessage::ID, status, ms, %caller, "message on a socket");
}
