//! Rows that are no longer of use.

use std::time::Duration;

use assent_store::StoreError;

use super::rows;
use crate::{state::Relay, storage::times::millis};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Statements that delete at most `$2` rows from before `$1`.
const ATTEMPTS: &str = "DELETE FROM webhook_attempts WHERE delivery_id IN (
    SELECT delivery_id FROM webhook_deliveries d WHERE finished_at < $1
    AND EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery_id = d.delivery_id)
    ORDER BY finished_at LIMIT $2)";
const DELIVERIES: &str = "DELETE FROM webhook_deliveries WHERE delivery_id IN (
    SELECT delivery_id FROM webhook_deliveries d WHERE finished_at < $1
    AND NOT EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery_id = d.delivery_id)
    ORDER BY finished_at LIMIT $2)";
const WINDOWS: &str = "DELETE FROM rate_windows WHERE name IN (
    SELECT name FROM rate_windows WHERE updated_at < $1 LIMIT $2)";
const REFRESH_TOKENS: &str = "DELETE FROM refresh_tokens WHERE family_id IN (
    SELECT family_id FROM token_families f WHERE f.expires_at < $1
    AND EXISTS (SELECT 1 FROM refresh_tokens t WHERE t.family_id = f.family_id)
    ORDER BY f.expires_at LIMIT $2)";
const FAMILIES: &str = "DELETE FROM token_families WHERE family_id IN (
    SELECT family_id FROM token_families f WHERE f.expires_at < $1
    AND NOT EXISTS (SELECT 1 FROM refresh_tokens t WHERE t.family_id = f.family_id)
    ORDER BY f.expires_at LIMIT $2)";
const LOGIN_FAILURES: &str = "DELETE FROM login_failures WHERE email_hash IN (
    SELECT email_hash FROM login_failures
    WHERE updated_at < $1 AND locked_until < $1 LIMIT $2)";

pub(super) async fn forget(relay: &Relay, deliveries: i64) -> Result<(), StoreError> {
    let day = i64::try_from(DAY.as_millis()).unwrap_or(i64::MAX);
    let yesterday = millis(relay.now()).saturating_sub(day);
    let rounds = [
        (ATTEMPTS, deliveries),
        (DELIVERIES, deliveries),
        (WINDOWS, yesterday),
        (REFRESH_TOKENS, yesterday),
        (FAMILIES, yesterday),
        (LOGIN_FAILURES, yesterday),
    ];
    for (sql, before) in rounds {
        rows(relay, sql, before).await?;
    }
    Ok(())
}
