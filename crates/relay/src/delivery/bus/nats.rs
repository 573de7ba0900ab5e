//! Wake-ups by NATS.

use std::{sync::Arc, time::Duration};

use async_nats::{Client, ConnectOptions};
use futures_util::StreamExt as _;
use tokio::{
    sync::mpsc,
    time::{sleep, timeout},
};

use super::{BusError, CHANNEL, Wake, heard};
use crate::state::Relay;

/// How long after a failure it is tried again.
const PAUSE: Duration = Duration::from_secs(1);

/// How long a server may take to answer a check.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) fn start(relay: &Arc<Relay>, node: String, url: String, waiting: mpsc::Receiver<Wake>) {
    let relay = Arc::clone(relay);
    let tasks = relay.tasks.clone();
    tasks.spawn(async move {
        let stopping = relay.stopping.clone();
        tokio::select! {
            () = run(relay, node, url, waiting) => {}
            () = stopping.cancelled() => {}
        }
    });
}

/// Whether a server answers at `url`.
///
/// # Errors
///
/// Why not; what the library says could repeat a password, so only the kind of failure is returned.
pub(super) async fn check(url: &str) -> Result<(), BusError> {
    let asked = async {
        let client = ConnectOptions::new().name("assent-relay").connect(url).await;
        let client = client.map_err(|error| BusError(error.kind().to_string()))?;
        client.flush().await.map_err(|error| BusError(error.kind().to_string()))
    };
    let no_answer =
        |_| BusError(format!("it does not answer within {} s", CHECK_TIMEOUT.as_secs()));
    timeout(CHECK_TIMEOUT, asked).await.map_err(no_answer)?
}

async fn run(relay: Arc<Relay>, node: String, url: String, waiting: mpsc::Receiver<Wake>) {
    let client = connect(&url).await;
    tokio::join!(listen(&relay, &node, &client), speak(&client, &node, waiting));
}

/// The library connects again by itself, for as long as it takes.
async fn connect(url: &str) -> Client {
    loop {
        let options = ConnectOptions::new().retry_on_initial_connect().name("assent-relay");
        match options.connect(url).await {
            Ok(client) => return client,
            Err(error) => {
                tracing::warn!(%error, "the bus is not there; events arrive a little later");
                sleep(PAUSE).await;
            }
        }
    }
}

async fn listen(relay: &Relay, node: &str, client: &Client) {
    loop {
        match client.subscribe(CHANNEL).await {
            Ok(mut subscription) => {
                while let Some(message) = subscription.next().await {
                    heard(relay, node, &message.payload);
                }
            }
            Err(error) => tracing::warn!(%error, "the bus does not listen"),
        }
        sleep(PAUSE).await;
    }
}

async fn speak(client: &Client, node: &str, mut waiting: mpsc::Receiver<Wake>) {
    while let Some(mut wake) = waiting.recv().await {
        node.clone_into(&mut wake.from);
        let Ok(text) = serde_json::to_vec(&wake) else { continue };
        if let Err(error) = client.publish(CHANNEL, text.into()).await {
            tracing::debug!(%error, "a wake-up was not sent");
        }
    }
}
