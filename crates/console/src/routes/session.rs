//! `POST /session`, and links for commands.

use assent_ids::Clock as _;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use crate::{
    app::token_error, code::ConsoleCode, error::ConsoleError, reply::Data, request::Body,
    state::Shared,
};

/// The token of a link.
#[derive(Deserialize)]
pub(super) struct Link {
    token: String,
}

#[derive(Serialize)]
pub(super) struct Session {
    session: String,
}

#[derive(Serialize)]
pub(super) struct NewLink {
    link: String,
}

pub(super) async fn begin(
    State(state): Shared,
    Body(link): Body<Link>,
) -> Result<Data<Session>, ConsoleError> {
    let session = state.sessions.begin(&link.token, &*state.entropy, state.clock.now());
    Ok(Data(Session { session: session.map_err(token_error)? }))
}

pub(super) async fn new_link(State(state): Shared) -> Result<Data<NewLink>, ConsoleError> {
    let none = || ConsoleError::new(ConsoleCode::NoConsole, "this device runs without a console");
    Ok(Data(NewLink { link: state.new_link().ok_or_else(none)? }))
}
