//! Telling people that an agent is gone, and their relations with it.

use assent_ids::Principal;
use assent_protocol::a2h::RelayEventType;
use assent_store::{StoreError, Tx};

use super::chunk::Range;
use crate::{
    delivery::{
        events::{self, Content},
        outbox::Outbox,
    },
    relations,
    state::Relay,
};

/// Why, for people.
const REASON: &str = "the agent was deleted";

const TOLD: &str = "UPDATE h2a_relations SET told_version = 0
    WHERE agent_id = $1 AND user_id > $2 AND user_id <= $3 AND told_version = -1";

pub(super) async fn tell(
    tx: &mut Tx,
    relay: &Relay,
    range: &Range<'_>,
    outbox: &mut Outbox,
) -> Result<(), StoreError> {
    let people = [range.agent_id.into(), range.after.into(), range.last.into()];
    for found in relations::untold(tx, &people).await? {
        let person = Principal::User(found.relation.user_id);
        let notice = relations::notice(&found.relation, Some(REASON.to_owned()));
        let content = Content::notice(RelayEventType::RelationRevoked, &notice)?;
        events::append_one(tx, &relay.minter, person, &content, outbox).await?;
    }
    tx.execute(TOLD, &people).await?;
    Ok(())
}
