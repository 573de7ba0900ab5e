//! Agents that are called: every event of theirs is a delivery, kept and tried until it arrives.
//!
//! - `addresses` says where agents may be called.
//! - `line` is where agents stand that have to be called.
//! - `deliveries` takes what is due, a few per agent at a time, and calls.
//! - `call_permits` limits concurrent calls, and keeps permits for agents that answer.
//! - `redelivery` sends a delivery again when its owner asks.
//! - `schedule` says when a failed delivery is tried again.
//! - `reachability` stops trying an agent that has been silent for long, and asks how it is instead.
//! - `secrets` are what deliveries are signed with.

mod addresses;
mod attempt;
mod call_permits;
mod claim;
mod deliveries;
mod line;
mod list_deliveries;
mod reachability;
mod record;
mod redeliver;
mod redelivery;
mod rotate_webhook_secret;
mod schedule;
mod secrets;
mod stored;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use assent_outbound::{Client, ClientError, ClientOptions, Origins, Reach, Target, TargetError};
use assent_relay_api::operations::webhooks::{ListDeliveries, Redeliver, RotateWebhookSecret};
use tokio::sync::OnceCell;

pub(crate) use self::{
    addresses::{check_addresses, check_connection, without_address},
    line::join,
    reachability::{give_up, try_again},
    redelivery::request_redelivery,
    secrets::{Rotated, new_secret, place_of_secret, rotate_secret},
};
use crate::{http::Routes, settings::Settings, state::Relay};

/// Adds the operations on webhooks.
pub(crate) fn routes(routes: Routes) -> Routes {
    routes.serve::<ListDeliveries>().serve::<Redeliver>().serve::<RotateWebhookSecret>()
}

/// The way out.
pub(crate) struct Webhooks {
    allowed: Origins,
    /// Made when it is first needed: it reads the certificates of the system.
    client: OnceCell<Client>,
}

impl Webhooks {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self { allowed: settings.webhook_allow.clone(), client: OnceCell::new() }
    }

    /// An address that may be called.
    fn target(&self, url: &str) -> Result<Target, TargetError> {
        Target::parse(url, &Reach::Public(self.allowed.clone()))
    }

    async fn client(&self) -> Result<&Client, ClientError> {
        let make = || async { Client::new(ClientOptions::for_strangers(self.allowed.clone())) };
        self.client.get_or_try_init(make).await
    }
}

/// Starts calling.
pub(crate) fn start(relay: &Arc<Relay>) {
    deliveries::start(relay);
    reachability::start(relay);
}
