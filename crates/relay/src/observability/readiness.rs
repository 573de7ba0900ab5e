//! Whether the relay can do its work: proved by doing a little of it.

use std::time::Duration;

use assent_ids::UnixMillis;
use assent_protocol::a2h::{ApiCode, ApiError};
use assent_store::{StoreError, Tx, Work};
use tokio::time::timeout;

use crate::{http::Refusal, state::Relay, storage::times::millis};

/// How long a proof is valid. Every client may ask, and each proof costs a wait for the disk.
pub(crate) const VALID_FOR: Duration = Duration::from_secs(1);

/// A storage that takes longer than this counts as unavailable.
const PROBE_TIMEOUT: Duration = Duration::from_secs(3);

const BEAT: &str = "INSERT INTO heartbeats (name, at) VALUES ('ready', $1)
    ON CONFLICT (name) DO UPDATE SET at = excluded.at";

/// Something small that has to become durable.
struct Beat(UnixMillis);

impl Work for Beat {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        tx.execute(BEAT, &[millis(self.0).into()]).await
    }
}

impl Relay {
    /// Proves that what is written becomes durable.
    pub(crate) async fn prove_ready(&self) -> Result<(), Refusal> {
        if self.stopping.is_cancelled() {
            return Err(Refusal::new(ApiCode::ShuttingDown, "the server is going down"));
        }
        self.ready.get(self.beat()).await
    }

    async fn beat(&self) -> Result<(), Refusal> {
        match timeout(PROBE_TIMEOUT, self.store.write(Beat(self.now()))).await {
            Ok(written) => Ok(written?),
            Err(_) => {
                let text = "the storage does not answer";
                Err(ApiError::new(ApiCode::StorageUnavailable, text).retry_after(1).into())
            }
        }
    }
}
