//! `GET /conversations[/:id/messages]`, `POST /conversations/:id/messages`

use assent_device::{Conversation, ConversationEntry};
use assent_ids::{ConversationId, UnixMillis};
use assent_protocol::wire::Timestamp;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};

use crate::{
    error::ConsoleError,
    reply::Data,
    request::{Body, Query},
    state::Shared,
};

/// Which part of a conversation is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EntriesQuery {
    /// What came before this time.
    before: Option<Timestamp>,
}

/// A text to send.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Message {
    text: String,
}

/// What was sent.
#[derive(Serialize)]
pub(super) struct Sent {}

pub(super) async fn list(State(state): Shared) -> Result<Data<Vec<Conversation>>, ConsoleError> {
    Ok(Data(state.device.conversations().await?))
}

pub(super) async fn entries(
    State(state): Shared,
    Path(id): Path<String>,
    Query(query): Query<EntriesQuery>,
) -> Result<Data<Vec<ConversationEntry>>, ConsoleError> {
    let before = query.before.as_ref().map(read_time).transpose()?;
    Ok(Data(state.device.conversation_entries(read_id(&id)?, before).await?))
}

pub(super) async fn send(
    State(state): Shared,
    Path(id): Path<String>,
    Body(message): Body<Message>,
) -> Result<Data<Sent>, ConsoleError> {
    state.device.send_message(read_id(&id)?, &message.text).await?;
    Ok(Data(Sent {}))
}

fn read_id(id: &str) -> Result<ConversationId, ConsoleError> {
    id.parse().map_err(|_| ConsoleError::not_found("conversation"))
}

fn read_time(time: &Timestamp) -> Result<UnixMillis, ConsoleError> {
    let instant = time.instant().ok();
    let millis = instant.and_then(|instant| u64::try_from(instant.as_millisecond()).ok());
    let wrong = || ConsoleError::invalid("`before` is not a time");
    millis.map(UnixMillis::new).ok_or_else(wrong)
}
