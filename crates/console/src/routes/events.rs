//! `GET /events`

use axum::{extract::State, response::IntoResponse};
use http::HeaderMap;

use crate::state::Shared;

pub(super) async fn get(State(state): Shared, headers: HeaderMap) -> impl IntoResponse {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    state.events.stream(last)
}
