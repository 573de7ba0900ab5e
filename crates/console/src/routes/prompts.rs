//! `GET /prompts[/:id]`, `POST /prompts/:id/answer`, `/shown`, `/hold`

use assent_device::{Decision, Interface, Prompt, PromptAnswer};
use assent_ids::{PromptId, UnixMillis};
use assent_protocol::wire::Timestamp;
use axum::{
    Extension,
    extract::{Path, State},
};
use serde::{Deserialize, Serialize};

use crate::{error::ConsoleError, reply::Data, request::Body, state::Shared};

/// The answer of the person.
#[derive(Deserialize)]
pub(super) struct Answer {
    decision: String,
    view_digest: String,
    shown: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Answered {
    decision: Decision,
}

#[derive(Serialize)]
pub(super) struct NotAfter {
    not_after: Timestamp,
}

pub(super) async fn list(State(state): Shared) -> Data<Vec<Prompt>> {
    Data(state.device.prompts())
}

pub(super) async fn get(
    State(state): Shared,
    Path(id): Path<String>,
) -> Result<Data<Prompt>, ConsoleError> {
    let id = read_id(&id)?;
    let prompt = state.device.prompts().into_iter().find(|prompt| prompt.prompt_id == id);
    prompt.map(Data).ok_or_else(|| ConsoleError::not_found("open prompt"))
}

pub(super) async fn answer(
    State(state): Shared,
    Extension(interface): Extension<Interface>,
    Path(id): Path<String>,
    Body(answer): Body<Answer>,
) -> Result<Data<Answered>, ConsoleError> {
    let id = read_id(&id)?;
    let decision = Decision::find(&answer.decision).ok_or_else(|| {
        let text = "`decision` must be one of the `choices` of the prompt";
        ConsoleError::invalid(text).with("pointer", "/decision")
    })?;
    let answer = PromptAnswer {
        decision,
        view_digest: answer.view_digest,
        has_shown_all: answer.shown.as_deref() == Some("all"),
    };
    state.device.answer_prompt(id, answer, interface).await?;
    Ok(Data(Answered { decision }))
}

pub(super) async fn shown(
    State(state): Shared,
    Path(id): Path<String>,
) -> Result<Data<NotAfter>, ConsoleError> {
    Ok(not_after(state.device.prompt_shown(read_id(&id)?).await?))
}

pub(super) async fn hold(
    State(state): Shared,
    Path(id): Path<String>,
) -> Result<Data<NotAfter>, ConsoleError> {
    Ok(not_after(state.device.hold_prompt(read_id(&id)?).await?))
}

fn not_after(time: UnixMillis) -> Data<NotAfter> {
    Data(NotAfter { not_after: Timestamp::from(time) })
}

fn read_id(id: &str) -> Result<PromptId, ConsoleError> {
    id.parse().map_err(|_| ConsoleError::not_found("prompt"))
}
