//! Hearing what other processes say through the server.

use std::future::poll_fn;

use tokio::sync::mpsc;
use tokio_postgres::{AsyncMessage, Client};

use super::open::{connect, described};
use crate::StoreError;

/// Maximum number of waiting notices. A slower receiver misses some, and no correctness depends on them.
const WAITING: usize = 1024;

/// Hears what is said on a channel, from when it was made until the connection breaks.
pub struct Listener {
    heard: mpsc::Receiver<String>,
    /// The connection lives as long as this.
    _client: Client,
}

impl Listener {
    pub(super) async fn new(url: &str, channel: &'static str) -> Result<Self, StoreError> {
        let (client, mut connection) = connect(url).await?;
        let (tell, heard) = mpsc::channel(WAITING);
        tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
                if let AsyncMessage::Notification(said) = message {
                    // Full: this one is missed.
                    let _ = tell.try_send(said.payload().to_owned());
                }
            }
        });
        let listen = format!("LISTEN {channel}");
        let listening = client.batch_execute(&listen).await;
        listening.map_err(|error| StoreError::Unavailable(described(&error)))?;
        Ok(Self { heard, _client: client })
    }

    /// The next thing said; `None` once the connection is broken.
    pub async fn hear(&mut self) -> Option<String> {
        self.heard.recv().await
    }
}
