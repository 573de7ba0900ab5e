//! Deliveries to agents that are called.

mod list_deliveries;
mod redeliver;
mod rotate_webhook_secret;
mod stored;

use assent_relay_api::operations::webhooks::{ListDeliveries, Redeliver, RotateWebhookSecret};

use crate::http::Routes;

/// Adds the operations on webhooks.
pub(super) fn routes(routes: Routes) -> Routes {
    routes.serve::<ListDeliveries>().serve::<Redeliver>().serve::<RotateWebhookSecret>()
}
