//! The routes of the interface.

mod account;
mod activity;
mod agent;
mod audit;
mod conversations;
mod directory;
mod events;
mod keys;
mod prompts;
mod relations;
mod reviews;
mod session;
mod settings;
mod state;

use std::sync::Arc;

use assent_device::Interface;
use assent_protocol::a2h::{ApiCode, ApiError};
use axum::{
    Extension, Router,
    extract::Request,
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use http::Method;

use crate::{error::ConsoleError, pages, state::ConsoleState};

/// The path below which the interface is.
pub(crate) const API: &str = "/api/v1/";

type Routes = Router<Arc<ConsoleState>>;

/// The interface and the pages, for browsers.
pub(crate) fn with_pages(state: &Arc<ConsoleState>) -> Router {
    finish(interface().merge(pages::routes()), Interface::Console, state)
}

/// The interface, and new links, for commands.
pub(crate) fn of_commands(state: &Arc<ConsoleState>) -> Router {
    let routes = interface().route("/api/v1/links", post(session::new_link));
    finish(routes, Interface::Terminal, state)
}

fn interface() -> Routes {
    Router::new()
        .route("/api/v1/session", post(session::begin))
        .route("/api/v1/state", get(state::get))
        .route("/api/v1/account/register", post(account::register))
        .route("/api/v1/account/login", post(account::login))
        .route("/api/v1/account/logout", post(account::logout))
        .route("/api/v1/directory", get(directory::search))
        .route("/api/v1/directory/{agent}", get(directory::get))
        .route("/api/v1/relations", get(relations::list).post(relations::add))
        .route(
            "/api/v1/relations/{id}",
            get(relations::get).patch(relations::change).delete(relations::revoke),
        )
        .route("/api/v1/relations/{id}/ask-again", post(relations::ask_again))
        .route("/api/v1/reviews", get(reviews::list))
        .route("/api/v1/reviews/{id}", get(reviews::get).post(reviews::answer))
        .route("/api/v1/keys", get(keys::list))
        .route("/api/v1/keys/{agent}", get(keys::get))
        .route("/api/v1/keys/{agent}/accept", post(keys::accept))
        .route("/api/v1/devices", get(keys::devices))
        .route("/api/v1/prompts", get(prompts::list))
        .route("/api/v1/prompts/{id}", get(prompts::get))
        .route("/api/v1/prompts/{id}/answer", post(prompts::answer))
        .route("/api/v1/prompts/{id}/shown", post(prompts::shown))
        .route("/api/v1/prompts/{id}/hold", post(prompts::hold))
        .route("/api/v1/activity", get(activity::list))
        .route("/api/v1/activity/{id}", get(activity::get))
        .route("/api/v1/audit", get(audit::list))
        .route("/api/v1/audit/verify", get(audit::verify).post(audit::verify_exported))
        .route("/api/v1/audit/export", get(audit::export))
        .route("/api/v1/conversations", get(conversations::list))
        .route(
            "/api/v1/conversations/{id}/messages",
            get(conversations::entries).post(conversations::send),
        )
        .route("/api/v1/tools", get(settings::tools))
        .route("/api/v1/roots", get(settings::roots).put(settings::set_roots))
        .route("/api/v1/settings", get(settings::get).patch(settings::change))
        .route("/api/v1/events", get(events::get))
}

fn finish(routes: Routes, interface: Interface, state: &Arc<ConsoleState>) -> Router {
    routes
        .layer(Extension(interface))
        .layer(middleware::from_fn(run_to_the_end))
        .fallback(async || ConsoleError::not_found("page"))
        .method_not_allowed_fallback(async || {
            let text = "this method is not supported here";
            ConsoleError::from(ApiError::new(ApiCode::MethodNotAllowed, text))
        })
        .with_state(Arc::clone(state))
}

/// Runs a request with effects to its end, also if the client goes away: what is stored must be applied as well.
async fn run_to_the_end(request: Request, next: Next) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    match tokio::spawn(next.run(request)).await {
        Ok(response) => response,
        Err(error) => {
            tracing::error!(%error, "a request did not end");
            ConsoleError::internal().into_response()
        }
    }
}
