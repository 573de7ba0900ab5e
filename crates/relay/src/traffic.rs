//! How much went through an agent since it was made. Messages are forgotten one day; the counts stay.

use std::collections::BTreeSet;

use assent_ids::AgentId;
use assent_protocol::a2h::MsgSubtype;
use assent_relay_api::model::Traffic;
use assent_store::{StoreError, Tx};

use crate::party::Party;

const COUNT: &str = "INSERT INTO agent_traffic
    (agent_id, messages_sent, tool_calls, messages_received) VALUES ($1, $2, $3, $4)
    ON CONFLICT (agent_id) DO UPDATE
    SET messages_sent = agent_traffic.messages_sent + excluded.messages_sent,
        tool_calls = agent_traffic.tool_calls + excluded.tool_calls,
        messages_received = agent_traffic.messages_received + excluded.messages_received";
const READ: &str = "SELECT messages_sent, tool_calls, messages_received FROM agent_traffic
    WHERE agent_id = $1";

/// Counts a message for every agent that sent or gets it, in the order of the agents.
pub(crate) async fn count_message(
    tx: &mut Tx,
    members: &BTreeSet<Party>,
    sender: Party,
    subtype: MsgSubtype,
) -> Result<(), StoreError> {
    for member in members {
        if matches!(member, Party::User(_)) {
            continue;
        }
        let sent = i64::from(*member == sender);
        let call = if subtype == MsgSubtype::ArtifactToolCall { sent } else { 0 };
        let row = [(*member).into(), sent.into(), call.into(), (1 - sent).into()];
        tx.execute(COUNT, &row).await?;
    }
    Ok(())
}

/// What went through `agent`.
pub(crate) async fn of(tx: &mut Tx, agent: AgentId) -> Result<Traffic, StoreError> {
    let Some(mut row) = tx.optional(READ, &[agent.to_string().into()]).await? else {
        return Ok(Traffic::default());
    };
    Ok(Traffic {
        messages_sent: row.get(0)?,
        tool_calls: row.get(1)?,
        messages_received: row.get(2)?,
    })
}
