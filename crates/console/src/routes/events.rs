//! `GET /events`

use assent_device::Interface;
use axum::{Extension, extract::State, response::IntoResponse};
use http::HeaderMap;

use crate::state::Shared;

pub(super) async fn get(
    State(state): Shared,
    Extension(interface): Extension<Interface>,
    headers: HeaderMap,
) -> impl IntoResponse {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    // As long as the stream is read, a person can see prompts.
    state.events.stream(last, state.device.attach(interface))
}
