//! A message on the socket: what an HTTP request would do, without the request.

use std::sync::Arc;

use assent_relay_api::{
    Operation as _,
    operations::messages::{SendMessage, SentMessage},
    socket::{MessageRefused, MessageSend, MessageSent, ServerFrame},
};
use tokio::time::{Instant, timeout};

use crate::{
    caller::Caller,
    http::admit_again,
    operations::{Outcome, send},
    refusal::Refusal,
    relay::Relay,
};

/// Sends a message for whoever is connected. Every message has one answer.
pub(super) async fn send_message(
    relay: &Arc<Relay>,
    caller: &Caller,
    MessageSend { conversation_id, message }: MessageSend,
) -> ServerFrame {
    let began = Instant::now();
    let client_message_id = message.client_message_id.clone();
    let sending = async {
        // The connection is closed when its credential ends, but perhaps a moment later.
        admit_again(relay, caller).await?;
        send(relay, caller.party()?, conversation_id, message).await
    };
    let patience = relay.settings.limits.request;
    let sent = timeout(patience, sending).await.unwrap_or_else(|_| Err(Refusal::too_slow()));
    record(relay, caller, began, &sent);
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
fn record(
    relay: &Relay,
    caller: &Caller,
    began: Instant,
    sent: &Result<(SentMessage, Outcome), Refusal>,
) {
    let status = match sent {
        Ok((_, Outcome::Stored)) => SendMessage::SUCCESS,
        Ok((_, Outcome::StoredBefore)) => 200,
        Err(refusal) => refusal.code().http_status(),
    };
    let took = began.elapsed();
    relay.metrics.answered(SendMessage::ID, status, took);
    let ms = took.as_secs_f64() * 1000.0;
    tracing::info!(operation = SendMessage::ID, status, ms, %caller, "message on a socket");
}
