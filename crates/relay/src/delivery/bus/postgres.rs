//! Wake-ups by the database.

use std::{sync::Arc, time::Duration};

use assent_store::{StoreError, Tx, Work};
use tokio::{sync::mpsc, time::sleep};

use super::{CHANNEL, Wake, heard};
use crate::state::Relay;

/// How long after a failure it is tried again.
const PAUSE: Duration = Duration::from_secs(1);

pub(super) fn start(relay: &Arc<Relay>, node: String, waiting: mpsc::Receiver<Wake>) {
    let relay = Arc::clone(relay);
    let tasks = relay.tasks.clone();
    tasks.spawn(async move {
        let stopping = relay.stopping.clone();
        tokio::select! {
            ((), ()) = async { tokio::join!(listen(&relay, &node), speak(&relay, &node, waiting)) } => {}
            () = stopping.cancelled() => {}
        }
    });
}

async fn listen(relay: &Relay, node: &str) {
    loop {
        match relay.store.listen(CHANNEL).await {
            Ok(mut listener) => {
                while let Some(text) = listener.hear().await {
                    heard(relay, node, text.as_bytes());
                }
            }
            Err(error) => tracing::warn!(%error, "the bus does not listen"),
        }
        sleep(PAUSE).await;
    }
}

struct Notify(String);

impl Work for Notify {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let notify = "SELECT pg_notify($1, $2)::text";
        tx.all(notify, &[CHANNEL.into(), (&self.0).into()]).await.map(|_| ())
    }
}

async fn speak(relay: &Relay, node: &str, mut waiting: mpsc::Receiver<Wake>) {
    while let Some(mut wake) = waiting.recv().await {
        node.clone_into(&mut wake.from);
        let Ok(text) = serde_json::to_string(&wake) else { continue };
        if let Err(error) = relay.store.write(Notify(text)).await {
            tracing::debug!(%error, "a wake-up was not sent");
        }
    }
}
