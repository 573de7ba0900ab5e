//! The routes of the interface.

mod account;
mod events;
mod session;
mod state;

use std::sync::Arc;

use assent_protocol::a2h::{ApiCode, ApiError};
use axum::{
    Router,
    routing::{get, post},
};

use crate::{error::ConsoleError, pages, state::ConsoleState};

/// The path below which the interface is.
pub(crate) const API: &str = "/api/v1/";

type Routes = Router<Arc<ConsoleState>>;

/// The interface and the pages, for browsers.
pub(crate) fn with_pages(state: &Arc<ConsoleState>) -> Router {
    finish(interface().merge(pages::routes()), state)
}

/// The interface, and new links, for commands.
pub(crate) fn of_commands(state: &Arc<ConsoleState>) -> Router {
    finish(interface().route("/api/v1/links", post(session::new_link)), state)
}

fn interface() -> Routes {
    Router::new()
        .route("/api/v1/session", post(session::begin))
        .route("/api/v1/state", get(state::get))
        .route("/api/v1/account/register", post(account::register))
        .route("/api/v1/account/login", post(account::login))
        .route("/api/v1/account/logout", post(account::logout))
        .route("/api/v1/events", get(events::get))
}

fn finish(routes: Routes, state: &Arc<ConsoleState>) -> Router {
    routes
        .fallback(async || ConsoleError::not_found("page"))
        .method_not_allowed_fallback(async || {
            let text = "this method is not supported here";
            ConsoleError::from(ApiError::new(ApiCode::MethodNotAllowed, text))
        })
        .with_state(Arc::clone(state))
}
