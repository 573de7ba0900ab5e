//! The keys that sign access tokens: kept in the store, the same on all nodes.

use assent_ids::{Entropy as _, Minter, RequestId, UnixMillis};
use assent_store::{StoreError, Tx, Work};
use zeroize::Zeroizing;

use crate::{access_tokens::LIFETIME_SECONDS, refusal::Refusal, relay::Relay, times::millis};

const ALL: &str = "SELECT key_id, secret FROM signing_keys
    WHERE retired_at IS NULL OR retired_at > $1 ORDER BY created_at, key_id";
const INSERT: &str = "INSERT INTO signing_keys (key_id, secret, created_at) VALUES ($1, $2, $3)";
const RETIRE: &str = "UPDATE signing_keys SET retired_at = $1 WHERE retired_at IS NULL";
const FORGET: &str = "DELETE FROM signing_keys WHERE retired_at <= $1";

type Keys = Vec<(String, [u8; 32])>;

/// Whether to make a new key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rotate {
    IfThereIsNone,
    Now,
}

struct LoadKeys {
    fresh_id: String,
    fresh: Zeroizing<[u8; 32]>,
    rotate: Rotate,
    now: UnixMillis,
}

impl Work for LoadKeys {
    type Output = Keys;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Keys, StoreError> {
        tx.lock("signing_keys").await?;
        let now = millis(self.now);
        let mut keys = load(tx, now).await?;
        if keys.is_empty() || self.rotate == Rotate::Now {
            // Tokens that an old key signed run out by themselves.
            let lifetime = i64::try_from(LIFETIME_SECONDS).unwrap_or(i64::MAX).saturating_mul(1000);
            tx.execute(RETIRE, &[now.saturating_add(lifetime).into()]).await?;
            tx.execute(FORGET, &[now.into()]).await?;
            let row = [(&self.fresh_id).into(), (&*self.fresh).into(), now.into()];
            tx.execute(INSERT, &row).await?;
            keys = load(tx, now).await?;
        }
        Ok(keys)
    }
}

async fn load(tx: &mut Tx, now: i64) -> Result<Keys, StoreError> {
    let mut keys = Keys::new();
    for mut row in tx.all(ALL, &[now.into()]).await? {
        let wrong = |_| StoreError::Refused("a signing key has the wrong length".to_owned());
        keys.push((row.get(0)?, row.get::<Vec<u8>>(1)?.try_into().map_err(wrong)?));
    }
    Ok(keys)
}

impl Relay {
    /// Loads the keys; the first node makes the first one.
    pub(crate) async fn load_signing_keys(&self) -> Result<(), StoreError> {
        self.signing_keys(Rotate::IfThereIsNone).await
    }

    /// Makes a new key, with which everything is signed from now on.
    pub(crate) async fn rotate_signing_keys(&self) -> Result<(), Refusal> {
        Ok(self.signing_keys(Rotate::Now).await?)
    }

    async fn signing_keys(&self, rotate: Rotate) -> Result<(), StoreError> {
        let mut fresh = Zeroizing::new([0; 32]);
        self.entropy.fill(fresh.as_mut());
        let fresh_id = key_id(&self.minter);
        let work = LoadKeys { fresh_id, fresh, rotate, now: self.now() };
        self.access_tokens.set_keys(self.store.write(work).await?);
        Ok(())
    }
}

/// A name that sorts by time.
fn key_id(minter: &Minter) -> String {
    minter.mint::<RequestId>().to_string().replace("req_", "key_")
}
