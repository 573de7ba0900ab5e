//! Writing down how an attempt ended, and what follows from it.

use std::time::Duration;

use assent_ids::UnixMillis;
use assent_store::{StoreError, Tx, Work};

use super::{
    attempt::Outcome,
    claim::Claimed,
    line,
    schedule::{GIVE_UP_AFTER, pause_after},
};
use crate::{delivery::events::count, storage::times::millis};

/// How long an agent may fail before it counts as unreachable.
const UNREACHABLE_AFTER: Duration = Duration::from_secs(10 * 60);

/// Far ahead: while an agent is unreachable its deliveries wait for it to recover.
pub(super) const PARKED: i64 = i64::MAX;

/// How an attempt ended.
pub(super) struct Record {
    pub(super) claimed: Claimed,
    pub(super) outcome: Outcome,
    pub(super) started: UnixMillis,
    pub(super) took: Duration,
    /// Moves the next attempt a little.
    pub(super) chance: u32,
}

const ATTEMPT: &str = "INSERT INTO webhook_attempts
        (delivery_id, attempt, started_at, duration_ms, status_code, error)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (delivery_id, attempt) DO NOTHING";
/// Changes nothing if the delivery is no longer pending, or if this attempt failed and a redelivery was
/// requested while it was in progress.
const OUTCOME: &str = "UPDATE webhook_deliveries
    SET status = $2, attempts = $3, failures = $4, next_attempt_at = $5, leased_until = 0,
        finished_at = $6
    WHERE delivery_id = $1 AND status = 'pending'
        AND ($2 = 'delivered' OR COALESCE(asked_at, created_at) = $7)";
/// A redelivery was requested meanwhile: the next attempt is due when that says.
const REQUESTED_AGAIN: &str = "UPDATE webhook_deliveries SET attempts = $2, leased_until = 0
    WHERE delivery_id = $1 AND status = 'pending'";
const REACHED: &str = "UPDATE agents SET failing_since = NULL, unreachable_since = NULL,
        next_health_check_at = NULL
    WHERE agent_id = $1 AND failing_since IS NOT NULL";
const FAILING: &str = "UPDATE agents SET failing_since = $2
    WHERE agent_id = $1 AND failing_since IS NULL";
const UNREACHABLE: &str = "UPDATE agents SET unreachable_since = $2, next_health_check_at = $2
    WHERE agent_id = $1 AND unreachable_since IS NULL AND failing_since <= $3";
/// Not for an agent without a health check, which is probed by its deliveries, and not for a delivery that
/// its owner requested and that was not attempted since.
const PARK: &str = "UPDATE webhook_deliveries SET next_attempt_at = $2
    WHERE agent_id = $1 AND status = 'pending' AND (asked_at IS NULL OR next_attempt_at > asked_at)
        AND EXISTS (SELECT 1 FROM agents a
        WHERE a.agent_id = $1 AND a.unreachable_since IS NOT NULL
        AND a.health_check_url IS NOT NULL)";

impl Work for Record {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        let attempts = self.claimed.attempts.saturating_add(1);
        self.write_attempt(tx, attempts).await?;
        let now = millis(self.started.after(self.took));
        let failures = self.claimed.failures.saturating_add(1);
        let next = self.next(failures, now);
        let (status, next_at, finished_at) = match (self.outcome.arrived(), next) {
            (true, _) => ("delivered", now, Some(now)),
            (false, Some(next_at)) => ("pending", next_at, None),
            (false, None) => ("failed", now, Some(now)),
        };
        let delivery_id = self.claimed.delivery_id.to_string();
        let row = [
            (&delivery_id).into(),
            status.into(),
            attempts.into(),
            failures.into(),
            next_at.into(),
            finished_at.into(),
            self.claimed.since.into(),
        ];
        if tx.change(OUTCOME, &row).await? == 0 {
            tx.execute(REQUESTED_AGAIN, &[(&delivery_id).into(), attempts.into()]).await?;
        }
        self.judge_agent(tx, now).await?;
        // There is room for another call.
        line::join(tx, &self.claimed.agent_id.to_string(), now).await
    }
}

impl Record {
    async fn write_attempt(&self, tx: &mut Tx, attempts: u32) -> Result<(), StoreError> {
        let took = u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX);
        let status = self.outcome.status.map(|status| u32::from(status.as_u16()));
        let row = [
            self.claimed.delivery_id.to_string().into(),
            attempts.into(),
            millis(self.started).into(),
            count(took).into(),
            status.into(),
            self.outcome.error.as_deref().into(),
        ];
        tx.execute(ATTEMPT, &row).await?;
        Ok(())
    }

    /// When it is tried again, unless it is given up.
    fn next(&self, failures: u32, now: i64) -> Option<i64> {
        let pause = pause_after(failures, self.chance)?;
        let next = now.saturating_add(i64::try_from(pause.as_millis()).unwrap_or(i64::MAX));
        let patience = i64::try_from(GIVE_UP_AFTER.as_millis()).unwrap_or(i64::MAX);
        (next <= self.claimed.since.saturating_add(patience)).then_some(next)
    }

    async fn judge_agent(&self, tx: &mut Tx, now: i64) -> Result<(), StoreError> {
        let agent_id = self.claimed.agent_id.to_string();
        if self.outcome.arrived() {
            tx.execute(REACHED, &[agent_id.into()]).await?;
            return Ok(());
        }
        tx.execute(FAILING, &[(&agent_id).into(), now.into()]).await?;
        let patience = i64::try_from(UNREACHABLE_AFTER.as_millis()).unwrap_or(i64::MAX);
        let since = now.saturating_sub(patience);
        let became =
            tx.change(UNREACHABLE, &[(&agent_id).into(), now.into(), since.into()]).await?;
        if became > 0 {
            tracing::warn!(agent_id, "the webhook of an agent is unreachable");
        }
        tx.execute(PARK, &[(&agent_id).into(), PARKED.into()]).await?;
        Ok(())
    }
}
