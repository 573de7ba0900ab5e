//! Deliveries, as the tables hold them.

use assent_ids::EventSeq;
use assent_protocol::wire::Open;
use assent_relay_api::model::{Delivery, DeliveryAttempt};
use assent_store::{Row, StoreError};

use crate::storage::{stored_id::stored, times::timestamp};

/// The deliveries of an agent in a state, or in any (`%`), behind one.
pub(super) const LIST: &str = "SELECT d.delivery_id, d.event_id, d.type, d.status, d.attempts,
        d.next_attempt_at, d.created_at, d.finished_at,
        t.started_at, t.duration_ms, t.status_code, t.error
    FROM webhook_deliveries d
    LEFT JOIN webhook_attempts t ON t.delivery_id = d.delivery_id AND t.attempt = d.attempts
    WHERE d.agent_id = $1 AND d.status LIKE $2 AND d.delivery_id < $3
    ORDER BY d.delivery_id DESC LIMIT $4";

/// The same for a single one.
pub(super) const ONE: &str = "SELECT d.delivery_id, d.event_id, d.type, d.status, d.attempts,
        d.next_attempt_at, d.created_at, d.finished_at,
        t.started_at, t.duration_ms, t.status_code, t.error
    FROM webhook_deliveries d
    LEFT JOIN webhook_attempts t ON t.delivery_id = d.delivery_id AND t.attempt = d.attempts
    WHERE d.agent_id = $1 AND d.delivery_id = $2";

pub(super) fn delivery(row: &Row) -> Result<Delivery, StoreError> {
    let state: String = row.get(3)?;
    let (is_pending, is_delivered) = (state == "pending", state == "delivered");
    let next_attempt_at: i64 = row.get(5)?;
    let finished_at: Option<i64> = row.get(7)?;
    Ok(Delivery {
        delivery_id: stored(&row.get::<String>(0)?)?,
        event_id: EventSeq(row.get(1)?),
        event_type: Open::read(&row.get::<String>(2)?),
        state: Open::read(&state),
        attempts: row.get(4)?,
        // One that waits for its agent to recover has no time yet.
        next_attempt_at: Some(next_attempt_at)
            .filter(|at| is_pending && *at < i64::MAX)
            .map(timestamp),
        created_at: timestamp(row.get(6)?),
        delivered_at: finished_at.filter(|_| is_delivered).map(timestamp),
        last_attempt: attempt(row)?,
    })
}

fn attempt(row: &Row) -> Result<Option<DeliveryAttempt>, StoreError> {
    let Some(started_at) = row.get::<Option<i64>>(8)? else { return Ok(None) };
    let status = row.get::<Option<u32>>(10)?.and_then(|status| u16::try_from(status).ok());
    Ok(Some(DeliveryAttempt {
        at: timestamp(started_at),
        duration_ms: row.get(9)?,
        http_status: status,
        error: row.get(11)?,
    }))
}
