//! What is delivered to agents that are called: `{"type":…,"timestamp":…,"data":{…}}`, with the headers of
//! Standard Webhooks. A delivery is named by its `webhook-id`, the same through all its attempts.

use assent_protocol::{
    a2h::RelayEventType,
    wire::{Object, Open, Timestamp},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The body of a delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WebhookPayload {
    /// What happened.
    pub r#type: Open<RelayEventType>,
    /// When it happened.
    pub timestamp: Timestamp,
    /// What there is to know about it: the `data` of the event.
    pub data: Object,
}
