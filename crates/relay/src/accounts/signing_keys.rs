//! The keys that sign access tokens: kept in the store, the same on all nodes.

use std::{array::TryFromSliceError, sync::Arc, time::Duration};

use assent_ids::{Entropy as _, Minter, RequestId, UnixMillis};
use assent_store::{Dialect, StoreError, Tx, Work};
use zeroize::Zeroizing;

use crate::{
    accounts::access_tokens::LIFETIME_SECONDS,
    state::Relay,
    storage::{
        times::millis,
        vault::{Stored, Vault},
    },
};

/// A token that names an unknown key makes a node look for it, but such tokens are easily made up.
pub(crate) const LOOK_AT_MOST_EVERY: Duration = Duration::from_secs(1);

/// How often a node looks by itself: long before a key that another one has retired is forgotten.
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// How long tokens of a key are good after it was retired.
const LIFETIME: Duration = Duration::from_secs(LIFETIME_SECONDS);

/// How long a retired key is kept: other nodes sign with it until they have looked.
const KEPT: Duration = LIFETIME.saturating_add(LOOK_EVERY).saturating_add(LOOK_EVERY);

const ALL: &str = "SELECT key_id, secret, sealed_under FROM signing_keys
    WHERE retired_at IS NULL OR retired_at > $1 ORDER BY created_at, key_id /* whole table */";
const INSERT: &str = "INSERT INTO signing_keys (key_id, secret, sealed_under, created_at)
    VALUES ($1, $2, $3, $4)";
const RETIRE: &str = "UPDATE signing_keys SET retired_at = $1 WHERE retired_at IS NULL
    /* whole table */";
const FORGET: &str = "DELETE FROM signing_keys WHERE retired_at <= $1
    /* whole table */";

type Keys = Vec<(String, [u8; 32])>;

/// Whether to make a new key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rotate {
    IfThereIsNone,
    Now,
}

struct LoadKeys {
    fresh_id: String,
    fresh: Stored,
    vault: Vault,
    rotate: Rotate,
    now: UnixMillis,
}

impl Work for LoadKeys {
    type Output = Keys;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Keys, StoreError> {
        tx.lock("signing_keys").await?;
        let now = millis(self.now);
        let mut keys = load(tx, &self.vault, now).await?;
        if keys.is_empty() || self.rotate == Rotate::Now {
            // Tokens that an old key signed run out by themselves.
            tx.execute(RETIRE, &[millis(self.now.after(KEPT)).into()]).await?;
            tx.execute(FORGET, &[now.into()]).await?;
            let [secret, under] = self.fresh.columns();
            tx.execute(INSERT, &[(&self.fresh_id).into(), secret, under, now.into()]).await?;
            keys = load(tx, &self.vault, now).await?;
        }
        Ok(keys)
    }
}

async fn load(tx: &mut Tx, vault: &Vault, now: i64) -> Result<Keys, StoreError> {
    let mut keys = Keys::new();
    for row in tx.all(ALL, &[now.into()]).await? {
        let wrong = |_: TryFromSliceError| {
            StoreError::Refused("a signing key has the wrong length".to_owned())
        };
        let key_id: String = row.get(0)?;
        let secret = vault.open(&place(&key_id), Stored::read(&row, 1)?)?;
        let secret = secret.as_slice().try_into().map_err(wrong)?;
        keys.push((key_id, secret));
    }
    Ok(keys)
}

/// A key that was just made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rotated {
    pub(crate) key_id: String,
    /// Until when tokens of the key before are accepted.
    pub(crate) previous_valid_until: UnixMillis,
}

impl Relay {
    /// Loads the keys; the first node makes the first one.
    pub(crate) async fn load_signing_keys(&self) -> Result<(), StoreError> {
        self.signing_keys(Rotate::IfThereIsNone).await.map(|_| ())
    }

    /// Makes a new key, with which everything is signed from now on.
    pub(crate) async fn rotate_signing_keys(&self) -> Result<Rotated, StoreError> {
        self.signing_keys(Rotate::Now).await
    }

    /// Loads the keys again, if that was not done just now.
    pub(crate) async fn look_for_signing_keys(&self) {
        let look = async {
            if let Err(error) = self.load_signing_keys().await {
                tracing::warn!(%error, "the signing keys could not be loaded");
            }
        };
        self.key_lookup.get(look).await;
    }

    /// Keeps up with keys that other nodes make, until the relay stops.
    pub(crate) async fn follow_signing_keys(self: Arc<Self>) {
        if self.store.dialect() == Dialect::Sqlite {
            // There are no other nodes.
            return;
        }
        let waited = || tokio::time::timeout(LOOK_EVERY, self.stopping.cancelled());
        while waited().await.is_err() {
            self.look_for_signing_keys().await;
        }
    }

    async fn signing_keys(&self, rotate: Rotate) -> Result<Rotated, StoreError> {
        let mut fresh = Zeroizing::new([0; 32]);
        self.entropy.fill(fresh.as_mut());
        let (key_id, now) = (key_id(&self.minter), self.now());
        let vault = self.settings.vault.clone();
        let fresh = vault.seal(&place(&key_id), &*fresh, &*self.entropy)?;
        let work = LoadKeys { fresh_id: key_id.clone(), fresh, vault, rotate, now };
        self.access_tokens.set_keys(self.store.write(work).await?);
        Ok(Rotated { key_id, previous_valid_until: now.after(LIFETIME) })
    }
}

/// Where a key is stored.
pub(crate) fn place(key_id: &str) -> String {
    format!("signing_keys:{key_id}")
}

/// A name that sorts by time.
fn key_id(minter: &Minter) -> String {
    minter.mint::<RequestId>().to_string().replace("req_", "key_")
}
