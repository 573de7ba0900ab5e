//! What deliveries are signed with.

use std::time::Duration;

use assent_ids::{AgentId, UnixMillis};
use assent_outbound::standard_webhooks::Secret;
use assent_relay_api::value as api;
use assent_store::{StoreError, Tx};

use crate::{
    state::Relay,
    storage::{
        times::millis,
        vault::{Stored, Vault},
    },
};

/// For how long the secret before signs as well.
const OVERLAP: Duration = Duration::from_secs(24 * 60 * 60);

const INSERT: &str = "INSERT INTO webhook_secrets (agent_id, created_at, secret, sealed_under)
    VALUES ($1, $2, $3, $4)";
const LATEST: &str = "SELECT coalesce(max(created_at), 0) FROM webhook_secrets WHERE agent_id = $1";
const EXPIRE: &str = "UPDATE webhook_secrets SET expires_at = $2
    WHERE agent_id = $1 AND expires_at IS NULL";
const FORGET: &str = "DELETE FROM webhook_secrets WHERE agent_id = $1 AND expires_at <= $2";
const FORGET_ALL: &str = "DELETE FROM webhook_secrets WHERE agent_id = $1";
const CURRENT: &str = "SELECT created_at, secret, sealed_under FROM webhook_secrets
    WHERE agent_id = $1 AND (expires_at IS NULL OR expires_at > $2) ORDER BY created_at DESC";

/// A secret that signs from now on.
pub(crate) struct Rotated {
    pub(crate) previous_valid_until: UnixMillis,
}

/// A new secret of `agent`, in place of those before.
pub(crate) async fn new_secret(
    tx: &mut Tx,
    relay: &Relay,
    agent: AgentId,
) -> Result<api::Secret, StoreError> {
    let secret = Secret::generate(&*relay.entropy);
    let agent_id = agent.to_string();
    tx.lock(&format!("webhook_secrets:{agent_id}")).await?;
    tx.execute(FORGET_ALL, &[(&agent_id).into()]).await?;
    insert(tx, relay, &agent_id, &secret, millis(relay.now())).await?;
    Ok(api::Secret::from(secret.expose().to_string()))
}

/// Stores a secret beside the one before, which signs for another day.
pub(crate) async fn rotate_secret(
    tx: &mut Tx,
    relay: &Relay,
    agent: AgentId,
    secret: &Secret,
) -> Result<Rotated, StoreError> {
    let now = relay.now();
    let agent_id = agent.to_string();
    tx.lock(&format!("webhook_secrets:{agent_id}")).await?;
    let latest: i64 = tx.scalar(LATEST, &[(&agent_id).into()]).await?;
    let until = now.after(OVERLAP);
    tx.execute(FORGET, &[(&agent_id).into(), millis(now).into()]).await?;
    tx.execute(EXPIRE, &[(&agent_id).into(), millis(until).into()]).await?;
    insert(tx, relay, &agent_id, secret, millis(now).max(latest.saturating_add(1))).await?;
    Ok(Rotated { previous_valid_until: until })
}

async fn insert(
    tx: &mut Tx,
    relay: &Relay,
    agent_id: &str,
    secret: &Secret,
    created_at: i64,
) -> Result<(), StoreError> {
    let (place, text) = (place_of_secret(agent_id, created_at), secret.expose());
    let stored = relay.settings.vault.seal(&place, text.as_bytes(), &*relay.entropy)?;
    let [secret, under] = stored.columns();
    tx.execute(INSERT, &[agent_id.into(), created_at.into(), secret, under]).await?;
    Ok(())
}

/// Where a secret is stored.
pub(crate) fn place_of_secret(agent_id: &str, created_at: i64) -> String {
    format!("webhook_secrets:{agent_id}:{created_at}")
}

/// Every secret that signs now, the newest first.
pub(super) async fn current(
    tx: &mut Tx,
    vault: &Vault,
    agent_id: &str,
    now: UnixMillis,
) -> Result<Vec<Secret>, StoreError> {
    let wrong = || StoreError::Refused("a webhook secret cannot be read".to_owned());
    let mut secrets = Vec::new();
    for row in tx.all(CURRENT, &[agent_id.into(), millis(now).into()]).await? {
        let place = place_of_secret(agent_id, row.get(0)?);
        let text = match vault.open(&place, Stored::read(&row, 1)?) {
            Ok(text) => text,
            Err(error) => {
                // Another node has other keys. That concerns this agent only, not the others in line.
                tracing::error!(%error, agent_id, "a webhook secret cannot be used");
                continue;
            }
        };
        let text = std::str::from_utf8(&text).map_err(|_| wrong())?;
        secrets.push(text.parse().map_err(|_| wrong())?);
    }
    Ok(secrets)
}
