//! Deliveries to agents that are called.

mod list_deliveries;
mod redeliver;
mod rotate_webhook_secret;

pub use list_deliveries::{DeliveriesQuery, ListDeliveries};
pub use redeliver::{DeliveryPath, Redeliver};
pub use rotate_webhook_secret::{RotateWebhookSecret, RotatedSecret};
