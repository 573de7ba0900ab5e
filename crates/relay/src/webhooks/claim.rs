//! Taking deliveries that are due, so that no other node takes them as well.

use std::{collections::BTreeMap, time::Duration};

use assent_ids::{AgentId, DeliveryId, EventSeq, UnixMillis};
use assent_outbound::standard_webhooks::Secret;
use assent_store::{Row, StoreError, Tx, Work};

use super::secrets;
use crate::{
    events::{self, Portion, Stored},
    party::{Party, stored},
    times::millis,
};

/// A delivery is about one event.
const ONE: Portion = Portion { events: 1, bytes: i64::MAX };

/// Calls to one agent at once: one that hangs keeps these busy, and nobody else.
const PER_AGENT: usize = 4;

/// How long a node keeps a delivery to itself: longer than a call may take. If the node dies, another one
/// takes it after that.
const LEASE: Duration = Duration::from_secs(60);

/// A delivery that is ours for a while, with everything needed to make it.
pub(super) struct Claimed {
    pub(super) delivery_id: DeliveryId,
    pub(super) agent_id: AgentId,
    pub(super) url: String,
    /// Attempts before this one, and how many of them failed since it was asked for.
    pub(super) attempts: u32,
    pub(super) failures: u32,
    pub(super) created_at: i64,
    pub(super) secrets: Vec<Secret>,
    /// Nothing if the event was forgotten meanwhile.
    pub(super) event: Option<Stored>,
}

/// Takes at most `room` deliveries that are due.
pub(super) struct Claim {
    pub(super) now: UnixMillis,
    pub(super) room: u32,
}

/// What was taken, and when something more is due.
pub(super) struct Taken {
    pub(super) claimed: Vec<Claimed>,
    pub(super) next_at: Option<i64>,
}

const DUE: &str = "SELECT d.delivery_id, d.agent_id, d.event_id, d.attempts, d.created_at,
        d.failures, a.webhook_url, (SELECT count(*) FROM webhook_deliveries o
            WHERE o.agent_id = d.agent_id AND o.leased_until > $1)
    FROM webhook_deliveries d JOIN agents a ON a.agent_id = d.agent_id
    WHERE d.status = 'pending' AND d.next_attempt_at <= $1 AND d.leased_until <= $1
        AND a.webhook_url IS NOT NULL AND a.deleted_at IS NULL AND a.suspended_at IS NULL
        AND (SELECT count(*) FROM webhook_deliveries o
            WHERE o.agent_id = d.agent_id AND o.leased_until > $1) < $2
    ORDER BY d.next_attempt_at, d.delivery_id LIMIT $3";
const LEASED: &str = "UPDATE webhook_deliveries SET leased_until = $2 WHERE delivery_id = $1";
const NEXT: &str = "SELECT min(next_attempt_at) FROM webhook_deliveries
    WHERE status = 'pending' AND next_attempt_at > $1";

impl Work for Claim {
    type Output = Taken;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Taken, StoreError> {
        tx.lock("webhook_deliveries").await?;
        let now = millis(self.now);
        let per_agent = events::count(PER_AGENT.try_into().unwrap_or(u64::MAX));
        let rows = tx.all(DUE, &[now.into(), per_agent.into(), self.room.into()]).await?;
        let mut busy = BTreeMap::<String, usize>::new();
        let mut claimed = Vec::new();
        for row in rows {
            if let Some(delivery) = self.take(tx, row, &mut busy).await? {
                claimed.push(delivery);
            }
        }
        Ok(Taken { claimed, next_at: tx.scalar(NEXT, &[now.into()]).await? })
    }
}

impl Claim {
    async fn take(
        &self,
        tx: &mut Tx,
        mut row: Row,
        busy: &mut BTreeMap<String, usize>,
    ) -> Result<Option<Claimed>, StoreError> {
        let delivery_id: String = row.get(0)?;
        let agent_id: String = row.get(1)?;
        let event = EventSeq(row.get(2)?);
        let at_once = usize::try_from(row.get::<u32>(7)?).unwrap_or(usize::MAX);
        let at_once_now = busy.entry(agent_id.clone()).or_insert(at_once);
        if *at_once_now >= PER_AGENT {
            return Ok(None);
        }
        *at_once_now += 1;
        let until = millis(self.now.after(LEASE));
        tx.execute(LEASED, &[(&delivery_id).into(), until.into()]).await?;
        let agent = stored(&agent_id)?;
        let before = EventSeq(event.0.saturating_sub(1));
        let found = events::after(tx, Party::Agent(agent), before, ONE).await?.events.pop();
        Ok(Some(Claimed {
            delivery_id: stored(&delivery_id)?,
            agent_id: agent,
            url: row.get(6)?,
            attempts: row.get(3)?,
            failures: row.get(5)?,
            created_at: row.get(4)?,
            secrets: secrets::current(tx, &agent_id, self.now).await?,
            event: found.filter(|found| found.event_id == event),
        }))
    }
}
