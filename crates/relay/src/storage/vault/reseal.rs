//! Brings what is stored under the key of today.

use std::sync::Arc;

use assent_store::{StoreError, Tx, Value, Work};

use super::{Stored, Vault};
use crate::{accounts::signing_keys, state::Relay, webhooks};

/// Secrets per transaction: no other unit of work runs meanwhile.
const PORTION: i64 = 500;

/// The webhook secrets that are not as they should be, from one on.
const WEBHOOK_SECRETS: &str =
    "SELECT agent_id, created_at, secret, sealed_under FROM webhook_secrets
    WHERE (agent_id, created_at) > ($1, $2) AND sealed_under IS DISTINCT FROM $3
    ORDER BY agent_id, created_at LIMIT $4";
const PUT_WEBHOOK_SECRET: &str = "UPDATE webhook_secrets SET secret = $3, sealed_under = $4
    WHERE agent_id = $1 AND created_at = $2";
const SIGNING_KEYS: &str = "SELECT key_id, secret, sealed_under FROM signing_keys
    WHERE sealed_under IS DISTINCT FROM $1 /* whole table */";
const PUT_SIGNING_KEY: &str =
    "UPDATE signing_keys SET secret = $2, sealed_under = $3 WHERE key_id = $1";

impl Relay {
    /// Seals again what is sealed under another key or under none; refuses to go on if there is something
    /// that cannot be opened.
    pub(crate) async fn reseal_secrets(self: &Arc<Self>) -> Result<(), StoreError> {
        let resealed = self.store.write(SigningKeys(Arc::clone(self))).await?;
        let mut portion = Portion { relay: Arc::clone(self), after: (String::new(), 0) };
        let mut count = resealed;
        loop {
            let (resealed, last) = self.store.write(portion).await?;
            count += resealed;
            let Some(after) = last else { break };
            portion = Portion { relay: Arc::clone(self), after };
        }
        if count > 0 {
            tracing::info!(
                secrets = count,
                "secrets in the database were brought under another key"
            );
        }
        Ok(())
    }
}

struct SigningKeys(Arc<Relay>);

impl Work for SigningKeys {
    type Output = usize;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<usize, StoreError> {
        let vault = &self.0.settings.vault;
        let rows = tx.all(SIGNING_KEYS, &[under(vault)]).await?;
        let count = rows.len();
        for row in rows {
            let key_id: String = row.get(0)?;
            let stored = Stored::read(&row, 1)?;
            let sealed = again(&self.0, &signing_keys::place(&key_id), stored)?;
            let [secret, under] = sealed.columns();
            tx.execute(PUT_SIGNING_KEY, &[(&key_id).into(), secret, under]).await?;
        }
        Ok(count)
    }
}

/// Some of the webhook secrets.
struct Portion {
    relay: Arc<Relay>,
    after: (String, i64),
}

impl Work for Portion {
    /// How many were sealed, and the last if there may be more.
    type Output = (usize, Option<(String, i64)>);
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, StoreError> {
        let (agent_id, created_at) = &self.after;
        let sealing = under(&self.relay.settings.vault);
        let from = [agent_id.into(), (*created_at).into(), sealing, PORTION.into()];
        let (mut count, mut last) = (0, None);
        for row in tx.all(WEBHOOK_SECRETS, &from).await? {
            let (agent_id, created_at) = (row.get::<String>(0)?, row.get::<i64>(1)?);
            let place = webhooks::place_of_secret(&agent_id, created_at);
            let sealed = again(&self.relay, &place, Stored::read(&row, 2)?)?;
            let [secret, under] = sealed.columns();
            let row = [(&agent_id).into(), created_at.into(), secret, under];
            tx.execute(PUT_WEBHOOK_SECRET, &row).await?;
            (count, last) = (count + 1, Some((agent_id, created_at)));
        }
        Ok((count, last))
    }
}

fn again(relay: &Relay, place: &str, stored: Stored) -> Result<Stored, StoreError> {
    let vault = &relay.settings.vault;
    let secret = vault.open(place, stored)?;
    Ok(vault.seal(place, &secret, &*relay.entropy)?)
}

fn under(vault: &Vault) -> Value<'_> {
    vault.0.sealing.as_deref().into()
}
