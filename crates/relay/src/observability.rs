//! What operators and clients see of the server itself: health, readiness, metrics, the OpenAPI document.

pub(crate) mod clock_watch;
mod get_metrics;
mod get_openapi;
mod health;
pub(crate) mod metrics;
pub(crate) mod readiness;
mod ready;

use assent_relay_api::operations::observability::{GetOpenApi, Health, Metrics, Ready};

use crate::http::Routes;

/// Adds the operations on the server itself.
pub(crate) fn routes(routes: Routes) -> Routes {
    routes.serve::<Health>().serve::<Ready>().serve::<Metrics>().serve::<GetOpenApi>()
}
