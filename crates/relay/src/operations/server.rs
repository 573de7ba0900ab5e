//! The server itself.

mod get_openapi;
mod health;
mod metrics;
mod ready;

use crate::http::Routes;

/// Adds the operations on the server itself.
pub(super) fn routes(routes: Routes) -> Routes {
    use assent_relay_api::operations::observability::{GetOpenApi, Health, Metrics, Ready};
    routes.serve::<Health>().serve::<Ready>().serve::<Metrics>().serve::<GetOpenApi>()
}
