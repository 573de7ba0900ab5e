//! Taking deliveries that are due, so that no other node takes them as well.

use std::time::Duration;

use assent_ids::{AgentId, DeliveryId, EventSeq, Principal, UnixMillis};
use assent_outbound::standard_webhooks::Secret;
use assent_store::{Row, StoreError, Tx, Work};

use super::{call_permits::LONG, line, secrets};
use crate::{
    delivery::events::{self, Portion, Stored},
    storage::{stored_id::stored, times::millis, vault::Vault},
};

/// Serializes everything that takes deliveries or makes them due out of turn.
pub(super) const LOCK: &str = "webhook_deliveries";

/// A delivery is about one event.
const ONE: Portion = Portion { events: 1, bytes: i64::MAX };

/// Calls at once to an agent that is well.
const WELL: u32 = 4;

/// The same to one that fails or hangs.
const UNWELL: u32 = 1;

/// When to look again for a permit for an agent.
const LATER: Duration = Duration::from_secs(1);

/// For an agent about which nothing waits; it stays in line, as something will.
const NEVER: i64 = i64::MAX;

/// How long a node keeps a delivery to itself: longer than a call may take. If the node dies, another one
/// takes it after that.
pub(super) const LEASE: Duration = Duration::from_secs(60);

/// A delivery that is ours for a while, with everything needed to make it.
pub(super) struct Claimed {
    pub(super) delivery_id: DeliveryId,
    pub(super) agent_id: AgentId,
    pub(super) url: String,
    /// Whether the agent answered when it was called last, and takes long about nothing.
    pub(super) is_well: bool,
    /// Attempts before this one, and how many of them failed since it was asked for.
    pub(super) attempts: u32,
    pub(super) failures: u32,
    /// Since when it is tried.
    pub(super) since: i64,
    pub(super) secrets: Vec<Secret>,
    /// Nothing if the event was forgotten meanwhile.
    pub(super) event: Option<Stored>,
}

/// Takes what is due for at most so many agents, a few deliveries of each, and nothing for which there is no room.
pub(super) struct Claim {
    pub(super) now: UnixMillis,
    pub(super) agents: u32,
    pub(super) room: Room,
    pub(super) vault: Vault,
}

/// How many calls can be made now, to agents that are well and to others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) prompt: u32,
    pub(super) patient: u32,
}

/// What was taken, and when something more is due.
pub(super) struct Taken {
    pub(super) claimed: Vec<Claimed>,
    pub(super) next_at: Option<i64>,
}

const CALLED: &str = "SELECT webhook_url, failing_since FROM agents WHERE agent_id = $1
    AND webhook_url IS NOT NULL AND deleted_at IS NULL AND suspended_at IS NULL";
const UNDER_WAY: &str = "SELECT count(*), min(leased_until) FROM webhook_deliveries
    WHERE agent_id = $1 AND leased_until > $2";
const DUE: &str = "SELECT delivery_id, event_id, attempts, COALESCE(asked_at, created_at), failures
    FROM webhook_deliveries
    WHERE status = 'pending' AND agent_id = $1 AND next_attempt_at <= $2 AND leased_until <= $2
    ORDER BY next_attempt_at, delivery_id LIMIT $3";
const LEASED: &str = "UPDATE webhook_deliveries SET leased_until = $2 WHERE delivery_id = $1";

impl Work for Claim {
    type Output = Taken;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Taken, StoreError> {
        tx.lock(LOCK).await?;
        let (mut claimed, mut room) = (Vec::new(), self.room);
        for agent_id in line::front(tx, millis(self.now), self.agents).await? {
            self.serve(tx, &agent_id, &mut room, &mut claimed).await?;
        }
        Ok(Taken { claimed, next_at: line::next(tx).await? })
    }
}

impl Claim {
    /// Takes what an agent can be called about now.
    async fn serve(
        &self,
        tx: &mut Tx,
        agent_id: &str,
        room: &mut Room,
        claimed: &mut Vec<Claimed>,
    ) -> Result<(), StoreError> {
        let (now, until) = (millis(self.now), millis(self.now.after(LEASE)));
        line::stay(tx, agent_id, until).await?;
        let Some(called) = tx.optional(CALLED, &[agent_id.into()]).await? else {
            return line::leave(tx, agent_id).await;
        };
        let url: String = called.get(0)?;
        let under_way = tx.one(UNDER_WAY, &[agent_id.into(), now.into()]).await?;
        let (busy, first_ends) = (under_way.get::<u32>(0)?, under_way.get::<Option<i64>>(1)?);
        let is_well = called.get::<Option<i64>>(1)?.is_none() && !self.takes_long(first_ends);
        let first_ends = first_ends.unwrap_or(until);
        let (limit, permits) =
            if is_well { (WELL, &mut room.prompt) } else { (UNWELL, &mut room.patient) };
        let free = limit.saturating_sub(busy).min(*permits);
        if busy >= limit {
            return line::stay(tx, agent_id, first_ends).await;
        }
        if free == 0 {
            // Permits for agents that are well are waited for; the others let them pass.
            let again = if is_well { now } else { millis(self.now.after(LATER)) };
            return line::stay(tx, agent_id, again).await;
        }
        let due = tx.all(DUE, &[agent_id.into(), now.into(), free.into()]).await?;
        let taken = u32::try_from(due.len()).unwrap_or(u32::MAX);
        for row in due {
            claimed.push(self.take(tx, row, agent_id, (&url, is_well)).await?);
        }
        *permits = permits.saturating_sub(taken);
        if taken == free {
            return line::stay(tx, agent_id, first_ends).await;
        }
        // While a call is under way the agent stays in line: the node that makes the call may die.
        let otherwise = if busy + taken > 0 { first_ends } else { NEVER };
        line::go_back(tx, agent_id, now, otherwise).await
    }

    /// Whether a call is on its way for long, going by when its lease ends.
    fn takes_long(&self, first_ends: Option<i64>) -> bool {
        let lately = millis(self.now.after(LEASE.saturating_sub(LONG)));
        first_ends.is_some_and(|ends| ends < lately)
    }

    async fn take(
        &self,
        tx: &mut Tx,
        row: Row,
        agent_id: &str,
        (url, is_well): (&str, bool),
    ) -> Result<Claimed, StoreError> {
        let delivery_id: String = row.get(0)?;
        let event = EventSeq(row.get(1)?);
        let until = millis(self.now.after(LEASE));
        tx.execute(LEASED, &[(&delivery_id).into(), until.into()]).await?;
        let agent = stored(agent_id)?;
        let before = EventSeq(event.0.saturating_sub(1));
        let found = events::after(tx, Principal::Agent(agent), before, ONE).await?.events.pop();
        Ok(Claimed {
            delivery_id: stored(&delivery_id)?,
            agent_id: agent,
            url: url.to_owned(),
            is_well,
            attempts: row.get(2)?,
            failures: row.get(4)?,
            since: row.get(3)?,
            secrets: secrets::current(tx, &self.vault, agent_id, self.now).await?,
            event: found.filter(|found| found.event_id == event),
        })
    }
}
