//! Conversations and who is in them.

mod founding;
mod reading;

use std::collections::BTreeSet;

use assent_ids::ConversationId;
use assent_relay_api::model::ConnectionMode;
use assent_store::{StoreError, Tx};

pub(crate) use self::{
    founding::{Founded, add_member, found},
    reading::{Summary, describe},
};
use crate::{party::Party, refusal::Refusal};

const MEMBERS: &str = "SELECT party_id FROM conversation_members
    WHERE conversation_id = $1 AND left_at IS NULL ORDER BY party_id";
/// The same with what matters to a message: whether an agent is called, whether the relation behind a private
/// conversation is alive, and the number of the message before.
const ADDRESSEES: &str = "SELECT m.party_id, a.connection_mode, r.status, c.last_seq
    FROM conversation_members m
    JOIN conversations c ON c.conversation_id = m.conversation_id
    LEFT JOIN agents a ON a.agent_id = m.party_id AND a.deleted_at IS NULL
    LEFT JOIN h2a_relations r ON r.conversation_id = m.conversation_id
    WHERE m.conversation_id = $1 AND m.left_at IS NULL ORDER BY m.party_id";
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

/// Those whom a message concerns.
#[derive(Debug, Default)]
pub(crate) struct Addressees {
    pub(crate) members: BTreeSet<Party>,
    /// Agents that are called.
    pub(crate) called: BTreeSet<Party>,
    /// The state of the relation behind a private conversation.
    pub(crate) relation: Option<String>,
    /// The number of the last message.
    pub(crate) last_seq: i64,
}

/// Everybody whom a message concerns.
pub(crate) async fn addressees(
    tx: &mut Tx,
    conversation: ConversationId,
) -> Result<Addressees, StoreError> {
    let mut found = Addressees::default();
    for mut row in tx.all(ADDRESSEES, &[conversation.to_string().into()]).await? {
        let party = Party::stored(&row.get::<String>(0)?)?;
        if row.get::<Option<String>>(1)?.as_deref() == Some(ConnectionMode::Webhook.as_str()) {
            found.called.insert(party);
        }
        found.relation = row.get(2)?;
        found.last_seq = row.get(3)?;
        found.members.insert(party);
    }
    Ok(found)
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
