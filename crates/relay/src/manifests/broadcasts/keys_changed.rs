//! The event for people that an agent has registered other keys.

use std::collections::BTreeSet;

use assent_ids::{AgentId, Principal};
use assent_protocol::{
    a2h::{AgentKeysChanged, RelayEventType},
    wire::Object,
};
use assent_store::{StoreError, Tx};

use super::chunk::Range;
use crate::{
    delivery::{
        events::{self, Content},
        outbox::Outbox,
    },
    keys::agent_keys,
    state::Relay,
    storage::stored_id::stored,
};

const PEOPLE: &str = "SELECT user_id FROM h2a_relations
    WHERE agent_id = $1 AND user_id > $2 AND user_id <= $3 AND status = 'active'";

/// Appends the event for everyone in `range` who has an active relation with the agent.
pub(super) async fn tell(
    tx: &mut Tx,
    relay: &Relay,
    agent: AgentId,
    range: &Range<'_>,
    outbox: &mut Outbox,
) -> Result<(), StoreError> {
    let Some(keys) = agent_keys::find(tx, agent).await? else { return Ok(()) };
    let range = [range.agent_id.into(), range.after.into(), range.last.into()];
    let people: Vec<String> = tx.column(PEOPLE, &range).await?;
    let people: Result<BTreeSet<Principal>, StoreError> =
        people.iter().map(|person| stored(person)).collect();
    let notice = AgentKeysChanged {
        agent_id: agent,
        registered_at: keys.registered_at,
        extra: Object::new(),
    };
    let content = Content::notice(RelayEventType::AgentKeysChanged, &notice)?;
    events::append(tx, &relay.minter, &people?, &content, outbox).await
}
