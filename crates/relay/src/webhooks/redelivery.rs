//! Sending a delivery again because the owner of the agent asks for it.
//!
//! - A finished delivery becomes pending again, under the same id.
//! - A delivery that waits for its next attempt is sent now. This replaces the scheduled attempt.
//! - A delivery whose attempt is in progress is not sent twice at the same time. If the attempt succeeds,
//!   the delivery is done; if it fails, the next attempt follows at once (see `record`).
//!
//! In each case the schedule of retries starts over.

use assent_store::{StoreError, Tx};

use super::line;

/// `asked_at` grows with every request, so that an attempt in progress notices that there was one. The
/// lease is left alone: it belongs to the attempt in progress.
const REQUEST: &str = "UPDATE webhook_deliveries
    SET status = 'pending', failures = 0, next_attempt_at = $3, finished_at = NULL,
        asked_at = CASE WHEN COALESCE(asked_at, created_at) < $3 THEN $3
            ELSE COALESCE(asked_at, created_at) + 1 END
    WHERE agent_id = $1 AND delivery_id = $2";

/// Makes a delivery due now. Returns `false` if the agent has no such delivery.
pub(crate) async fn request_redelivery(
    tx: &mut Tx,
    agent_id: &str,
    delivery_id: &str,
    now: i64,
) -> Result<bool, StoreError> {
    // Claiming locks the agent's place in line before its deliveries, everything else the other way
    // around. Without this lock the two could wait for each other.
    tx.lock(super::claim::LOCK).await?;
    let changed = tx.change(REQUEST, &[agent_id.into(), delivery_id.into(), now.into()]).await?;
    if changed > 0 {
        line::join(tx, agent_id, now).await?;
    }
    Ok(changed > 0)
}
