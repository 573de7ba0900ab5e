//! Waking other nodes. A wake-up that gets lost loses nothing: every node looks by itself as well.

mod nats;
mod postgres;
mod watch;

use std::{collections::BTreeSet, sync::Arc};

use assent_ids::{Principal, RequestId};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::{
    delivery::{hub::Closing, outbox::Outbox},
    settings::BusSetting,
    state::Relay,
};

/// Wake-ups that may wait to be sent. More are dropped, and found by looking.
const WAITING: usize = 1024;

/// Recipients in one wake-up. PostgreSQL takes 8,000 bytes.
const PARTIES: usize = 200;

/// The channel, or the subject, on which nodes wake each other.
const CHANNEL: &str = "assent_wake";

/// The way to the other nodes.
pub(crate) struct Bus {
    outgoing: mpsc::Sender<Wake>,
    /// Taken by the task that sends.
    waiting: std::sync::Mutex<Option<mpsc::Receiver<Wake>>>,
}

/// What one node tells the others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Wake {
    /// The node that tells it, which knows already.
    from: String,
    /// Whose events have grown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parties: Vec<String>,
    /// Whose connections are to be closed, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    closing: Vec<(String, Closing)>,
}

impl Default for Bus {
    fn default() -> Self {
        let (outgoing, waiting) = mpsc::channel(WAITING);
        Self { outgoing, waiting: std::sync::Mutex::new(Some(waiting)) }
    }
}

impl Bus {
    /// Tells the other nodes what a transaction left behind.
    pub(crate) fn publish(&self, outbox: &Outbox) {
        let parties: BTreeSet<Principal> = outbox.events.iter().map(|sent| sent.party).collect();
        let parties: Vec<String> = parties.iter().map(ToString::to_string).collect();
        let closing = outbox.closings().into_iter().map(|(party, why)| (party.to_string(), why));
        let closing: Vec<(String, Closing)> = closing.collect();
        let mut wakes: Vec<Wake> = parties
            .chunks(PARTIES)
            .map(|parties| Wake { parties: parties.to_vec(), ..Wake::default() })
            .collect();
        for closing in closing.chunks(PARTIES / 4) {
            wakes.push(Wake { closing: closing.to_vec(), ..Wake::default() });
        }
        for wake in wakes {
            // Full, or no receiver: other nodes find it by looking.
            let _ = self.outgoing.try_send(wake);
        }
    }
}

/// Why the bus cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the bus cannot be reached: {0}")]
pub struct BusError(String);

/// Whether the bus that the settings name is there. False if none is needed, or if it is the database.
pub(crate) async fn check(setting: &BusSetting) -> Result<bool, BusError> {
    match setting {
        BusSetting::None | BusSetting::Postgres => Ok(false),
        BusSetting::Nats(url) => nats::check(url).await.map(|()| true),
    }
}

/// Starts what the settings ask for.
pub(crate) fn start(relay: &Arc<Relay>) {
    let waiting = relay.bus.waiting.lock().ok().and_then(|mut waiting| waiting.take());
    let Some(waiting) = waiting else { return };
    let node = relay.minter.mint::<RequestId>().to_string();
    match relay.settings.bus.clone() {
        BusSetting::None => drop(waiting),
        BusSetting::Postgres => postgres::start(relay, node, waiting),
        BusSetting::Nats(url) => nats::start(relay, node, url, waiting),
    }
    watch::start(relay);
}

/// Does what another node asks for.
fn heard(relay: &Relay, node: &str, text: &[u8]) {
    let Ok(wake) = serde_json::from_slice::<Wake>(text) else {
        tracing::debug!("another program sends on the bus");
        return;
    };
    if wake.from == node {
        return;
    }
    for party in wake.parties.iter().filter_map(|party| party.parse().ok()) {
        relay.hub.wake(party);
    }
    for (party, why) in wake.closing {
        if let Ok(party) = party.parse() {
            relay.hub.close(party, &why);
        }
    }
}
