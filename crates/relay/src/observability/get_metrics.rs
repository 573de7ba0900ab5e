//! `GET /metrics`

use std::{sync::Arc, time::Duration};

use assent_relay_api::operations::observability::{Metrics, MetricsText};
use tokio::time::timeout;

use crate::{
    delivery::hub::Way,
    http::{Answer, Call, Refusal, Serve},
    observability::metrics::{CountWebhooks, Moment, WebhookFigures},
    state::Relay,
};

/// Time limit of counting webhooks. Without that count, the other metrics are still returned.
const COUNT_TIMEOUT: Duration = Duration::from_secs(2);

impl Serve for Metrics {
    async fn serve(relay: &Arc<Relay>, _: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let moment = Moment {
            sockets: relay.hub.connections(Way::Socket),
            long_polls: relay.hub.connections(Way::LongPoll),
            clock_lead: relay.clock.lead(),
            store: relay.store.health(),
            webhooks: relay.webhook_figures.get(count(relay)).await,
        };
        Ok(Answer::new(MetricsText(relay.metrics.write(&moment))))
    }
}

async fn count(relay: &Relay) -> Option<WebhookFigures> {
    timeout(COUNT_TIMEOUT, relay.store.read(CountWebhooks)).await.ok()?.ok()
}
