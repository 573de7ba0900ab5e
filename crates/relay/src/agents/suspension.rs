//! Agents that operators take out of use, and back.

use std::sync::Arc;

use assent_ids::{AgentId, Principal, UnixMillis, UserId};
use assent_protocol::{
    a2h::{RelayEventType, TelemetryNotice},
    wire::Object,
};
use assent_store::Tx;

use crate::{
    agents,
    delivery::{
        events::{self, Content},
        outbox::Outbox,
    },
    http::Refusal,
    state::Relay,
    storage::{stored_id::stored, times::millis},
    webhooks,
};

/// What an operator wants of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// It may do nothing until it is restored.
    Suspend { reason: Option<String> },
    /// It may be used again.
    Restore,
}

const FIND: &str = "SELECT owner_id, suspended_at FROM agents
    WHERE agent_id = $1 AND deleted_at IS NULL";
const SUSPEND: &str = "UPDATE agents SET suspended_at = COALESCE(suspended_at, $2),
    suspended_reason = $3, updated_at = $2 WHERE agent_id = $1";
const RESTORE: &str = "UPDATE agents SET suspended_at = NULL, suspended_reason = NULL,
    updated_at = $2 WHERE agent_id = $1";

/// Changes whether `agent` may be used. Its owner gets an event; if it may not, its sockets are closed.
/// What is so already stays so, except for the reason, which is replaced.
pub(crate) async fn change(
    tx: &mut Tx,
    relay: &Arc<Relay>,
    agent: AgentId,
    change: &Change,
) -> Result<Outbox, Refusal> {
    let agent_id = agent.to_string();
    tx.lock(&agent_id).await?;
    let row = tx.optional(FIND, &[(&agent_id).into()]).await?.ok_or_else(agents::unknown)?;
    let owner: UserId = stored(&row.get::<String>(0)?)?;
    let was_suspended = row.get::<Option<i64>>(1)?.is_some();
    write(tx, &agent_id, change, relay.now()).await?;
    let mut outbox = Outbox::default();
    if was_suspended != matches!(change, Change::Suspend { .. }) {
        let content = Content::notice(RelayEventType::Telemetry, &notice(agent, change))?;
        events::append_one(tx, &relay.minter, Principal::User(owner), &content, &mut outbox)
            .await?;
    }
    match change {
        Change::Suspend { .. } => outbox.suspended.push(Principal::Agent(agent)),
        Change::Restore => outbox.deliveries = true,
    }
    agents::changed(tx, agent).await?;
    Ok(outbox)
}

async fn write(
    tx: &mut Tx,
    agent_id: &str,
    change: &Change,
    now: UnixMillis,
) -> Result<(), Refusal> {
    let now = millis(now);
    match change {
        Change::Suspend { reason } => {
            let reason = reason.as_deref().into();
            tx.execute(SUSPEND, &[agent_id.into(), now.into(), reason]).await?;
        }
        Change::Restore => {
            tx.execute(RESTORE, &[agent_id.into(), now.into()]).await?;
            webhooks::join(tx, agent_id, now).await?;
        }
    }
    Ok(())
}

fn notice(agent_id: AgentId, change: &Change) -> TelemetryNotice {
    let (code, message, reason) = match change {
        Change::Suspend { reason } => {
            ("AGENT_SUSPENDED", "an operator suspended this agent", reason.clone())
        }
        Change::Restore => ("AGENT_RESTORED", "an operator restored this agent", None),
    };
    let params = reason.map(|reason| Object::from_iter([("reason".to_owned(), reason.into())]));
    let (code, message) = (code.to_owned(), message.to_owned());
    TelemetryNotice { agent_id, code, message, params, extra: Object::new() }
}
