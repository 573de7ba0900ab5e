//! How deliveries to agents stand, on all nodes together.

use assent_store::{StoreError, Tx, Work};

use super::exposition::Exposition;

const COUNT: &str = "SELECT
    (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending'),
    (SELECT count(*) FROM webhook_deliveries WHERE status = 'failed'),
    (SELECT count(*) FROM agents WHERE unreachable_since IS NOT NULL)";

/// Deliveries and agents by state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WebhookFigures {
    pending: i64,
    failed: i64,
    unreachable: i64,
}

impl WebhookFigures {
    pub(super) fn write(self, out: &mut Exposition) {
        let name = "assent_webhook_deliveries";
        out.family(name, "gauge", "Deliveries that wait, and those that were given up.");
        out.sample(name, &[("state", "pending")], self.pending);
        out.sample(name, &[("state", "failed")], self.failed);
        let help = "Agents whose webhooks do not answer.";
        out.gauge("assent_webhook_agents_unreachable", help, &self.unreachable);
    }
}

/// Counts them.
pub(crate) struct CountWebhooks;

impl Work for CountWebhooks {
    type Output = WebhookFigures;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<WebhookFigures, StoreError> {
        let row = tx.one(COUNT, &[]).await?;
        Ok(WebhookFigures { pending: row.get(0)?, failed: row.get(1)?, unreachable: row.get(2)? })
    }
}
