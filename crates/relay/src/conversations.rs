//! Conversations and who is in them.

mod founding;
mod reading;

use std::collections::BTreeSet;

use assent_ids::ConversationId;
use assent_store::{StoreError, Tx};

pub(crate) use self::{
    founding::{Founded, add_member, found},
    reading::{Summary, describe},
};
use crate::{party::Party, refusal::Refusal};

const MEMBERS: &str = "SELECT party_id FROM conversation_members
    WHERE conversation_id = $1 AND left_at IS NULL ORDER BY party_id";
const MEMBERSHIP: &str = "SELECT joined_seq FROM conversation_members
    WHERE conversation_id = $1 AND party_id = $2 AND left_at IS NULL";

/// Everybody in a conversation. If `party` is not among them, it may not know that there is one.
pub(crate) async fn members_with(
    tx: &mut Tx,
    conversation: ConversationId,
    party: Party,
) -> Result<BTreeSet<Party>, Refusal> {
    let members = members(tx, conversation).await?;
    if members.contains(&party) { Ok(members) } else { Err(unknown()) }
}

/// Everybody in a conversation.
pub(crate) async fn members(
    tx: &mut Tx,
    conversation: ConversationId,
) -> Result<BTreeSet<Party>, StoreError> {
    let rows = tx.all(MEMBERS, &[conversation.to_string().into()]).await?;
    rows.into_iter().map(|mut row| Party::stored(&row.get::<String>(0)?)).collect()
}

/// The last message before `party` joined, if it is in the conversation.
pub(crate) async fn joined_after(
    tx: &mut Tx,
    conversation: ConversationId,
    party: Party,
) -> Result<i64, Refusal> {
    let row = tx.optional(MEMBERSHIP, &[conversation.to_string().into(), party.into()]).await?;
    Ok(row.ok_or_else(unknown)?.get(0)?)
}

pub(crate) fn unknown() -> Refusal {
    Refusal::not_found("conversation")
}
