//! Which operation serves which request.

use std::sync::Arc;

use assent_protocol::a2h::ApiCode;
use axum::{
    Router,
    extract::{Request, State},
    routing::{MethodFilter, on},
};

use super::{endpoint, respond};
use crate::{
    operations::{self, Serve},
    refusal::Refusal,
    relay::Relay,
    socket,
};

/// Adds operations to a router.
pub(crate) struct Routes(Router<Arc<Relay>>);

impl Routes {
    fn new() -> Self {
        Self(Router::new())
    }

    /// The same, with operation `O`.
    #[must_use]
    pub(crate) fn serve<O: Serve>(self) -> Self {
        let handler = |State(relay): State<Arc<Relay>>, request: Request| {
            endpoint::serve::<O>(relay, request)
        };
        let Ok(method) = MethodFilter::try_from(O::METHOD) else { return self };
        Self(self.0.route(O::PATH, on(method, handler)))
    }
}

/// Everything that is served on the network.
pub(crate) fn router(relay: Arc<Relay>) -> Router {
    let routes = operations::routes(Routes::new());
    socket::routes(routes.0)
        .fallback(|| async { respond::refused(Refusal::not_found("path")) })
        .method_not_allowed_fallback(|| async {
            let text = "this path does not take this method";
            respond::refused(Refusal::new(ApiCode::MethodNotAllowed, text))
        })
        .with_state(relay)
}
