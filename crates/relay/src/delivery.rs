//! Delivery of events: they are numbered and stored with what caused them, and pushed once they are durable.
//!
//! - `events` stores events, `outbox` collects what a transaction publishes when it is durable.
//! - `hub` holds the events that wait for the connections of this node, `socket` sends them.
//! - `bus` wakes the other nodes.

pub(crate) mod announce;
pub(crate) mod bus;
pub(crate) mod events;
pub(crate) mod hub;
mod list_events;
pub(crate) mod outbox;
pub(crate) mod reading;
pub(crate) mod socket;

use assent_relay_api::operations::delivery::ListEvents;

use crate::http::Routes;

/// Adds the operations on events. The sockets have routes of their own.
pub(crate) fn routes(routes: Routes) -> Routes {
    routes.serve::<ListEvents>()
}
