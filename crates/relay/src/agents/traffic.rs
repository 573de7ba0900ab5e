//! How much went through an agent since it was made. Messages are forgotten one day; the counts stay.

use assent_ids::AgentId;
use assent_protocol::a2h::MsgSubtype;
use assent_relay_api::model::Traffic;
use assent_store::{StoreError, Tx};

use assent_ids::Principal;

/// What one message adds to what went through a party.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) sent: i64,
    pub(crate) tool_calls: i64,
    pub(crate) received: i64,
}

impl Counted {
    /// A message of `sender`, for `party`. People are not counted.
    pub(crate) fn message(party: Principal, sender: Principal, subtype: MsgSubtype) -> Self {
        if matches!(party, Principal::User(_)) {
            return Self::default();
        }
        let sent = i64::from(party == sender);
        let tool_calls = if subtype == MsgSubtype::ArtifactToolCall { sent } else { 0 };
        Self { sent, tool_calls, received: 1 - sent }
    }

    /// Adds another message.
    pub(crate) fn add(&mut self, Self { sent, tool_calls, received }: Self) {
        self.sent += sent;
        self.tool_calls += tool_calls;
        self.received += received;
    }
}

const READ: &str = "SELECT messages_sent, tool_calls, messages_received FROM recipients
    WHERE party_id = $1";

/// What went through `agent`.
pub(crate) async fn of(tx: &mut Tx, agent: AgentId) -> Result<Traffic, StoreError> {
    let Some(row) = tx.optional(READ, &[agent.to_string().into()]).await? else {
        return Ok(Traffic::default());
    };
    Ok(Traffic {
        messages_sent: row.get(0)?,
        tool_calls: row.get(1)?,
        messages_received: row.get(2)?,
    })
}
