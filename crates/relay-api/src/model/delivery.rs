//! Deliveries to agents that are called.

use assent_ids::{DeliveryId, EventSeq};
use assent_protocol::{
    a2h::RelayEventType,
    wire::{Open, Timestamp, never_null},
    words,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Reply;

/// One event on its way to an agent, through all its attempts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct Delivery {
    /// Which delivery: the `webhook-id` of every attempt.
    pub delivery_id: DeliveryId,
    /// The event.
    pub event_id: EventSeq,
    /// Its type.
    pub event_type: Open<RelayEventType>,
    /// What has become of it.
    pub state: Open<DeliveryState>,
    /// How often it was tried.
    pub attempts: u64,
    /// The last attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_attempt: Option<DeliveryAttempt>,
    /// When it will be tried next, if it is still pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_attempt_at: Option<Timestamp>,
    /// When it came up.
    pub created_at: Timestamp,
    /// When it arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivered_at: Option<Timestamp>,
}

/// One attempt to deliver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct DeliveryAttempt {
    /// When.
    pub at: Timestamp,
    /// How long it took.
    pub duration_ms: u64,
    /// The status of the answer, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http_status: Option<u16>,
    /// What went wrong, in words for the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

words! {
    /// What has become of a delivery.
    DeliveryState {
        /// It will be tried, or tried again.
        Pending = "pending",
        /// It arrived.
        Delivered = "delivered",
        /// It was tried for three days and given up. It can be delivered again by hand.
        Failed = "failed",
    }
}

impl Reply for Delivery {}
