//! The line in which agents stand that have to be called.
//!
//! INVARIANT: an agent with a delivery that waits is in line, and its turn is no later than that delivery is due
//! or, if it has as many calls on their way as it may have, than the first of them ends or, if there is no permit for a
//! call to it, than the next look for one. Coming too early does
//! no harm: taking deliveries checks again, and sets the next turn.

use assent_store::{StoreError, Tx};

/// Unless it is there already, and earlier.
const JOIN: &str = "INSERT INTO webhook_line (agent_id, due_at) VALUES ($1, $2)
    ON CONFLICT (agent_id) DO UPDATE SET due_at = excluded.due_at
    WHERE webhook_line.due_at > excluded.due_at";
const FRONT: &str = "SELECT agent_id FROM webhook_line WHERE due_at <= $1
    ORDER BY due_at, agent_id LIMIT $2";
const NEXT: &str = "SELECT min(due_at) FROM webhook_line";
const STAY: &str = "UPDATE webhook_line SET due_at = $2 WHERE agent_id = $1";
/// When the next of its deliveries without a lease is due.
const GO_BACK: &str = "UPDATE webhook_line SET due_at = COALESCE(
        (SELECT next_attempt_at FROM webhook_deliveries
            WHERE status = 'pending' AND agent_id = $1 AND leased_until <= $2
            ORDER BY next_attempt_at LIMIT 1), $3)
    WHERE agent_id = $1";
const LEAVE: &str = "DELETE FROM webhook_line WHERE agent_id = $1";

/// The agent has something to be called about from `at` on.
pub(crate) async fn join(tx: &mut Tx, agent_id: &str, at: i64) -> Result<(), StoreError> {
    tx.execute(JOIN, &[agent_id.into(), at.into()]).await
}

/// Those whose turn it is, at most `room`: sorted, so that two transactions never wait for one another
/// crosswise.
pub(super) async fn front(tx: &mut Tx, now: i64, room: u32) -> Result<Vec<String>, StoreError> {
    let mut agents = tx.column(FRONT, &[now.into(), room.into()]).await?;
    agents.sort_unstable();
    Ok(agents)
}

/// When the next agent is due.
pub(super) async fn next(tx: &mut Tx) -> Result<Option<i64>, StoreError> {
    tx.scalar(NEXT, &[]).await
}

/// Nothing happens to the agent before `at`. Done before its deliveries are looked at: a transaction that adds
/// one meanwhile waits, and joins after it.
pub(super) async fn stay(tx: &mut Tx, agent_id: &str, at: i64) -> Result<(), StoreError> {
    tx.execute(STAY, &[agent_id.into(), at.into()]).await
}

/// It is the agent's turn again when its next delivery is due; at `otherwise` if it has none.
pub(super) async fn go_back(
    tx: &mut Tx,
    agent_id: &str,
    now: i64,
    otherwise: i64,
) -> Result<(), StoreError> {
    tx.execute(GO_BACK, &[agent_id.into(), now.into(), otherwise.into()]).await
}

/// Nothing is to be done for the agent until it joins again.
pub(super) async fn leave(tx: &mut Tx, agent_id: &str) -> Result<(), StoreError> {
    tx.execute(LEAVE, &[agent_id.into()]).await
}
