//! Conversations, their members and their sealed messages.

mod add_members;
mod create_conversation;
mod founding;
mod get_conversation;
mod joining;
mod leaving;
mod list_conversations;
mod list_messages;
pub(crate) mod message_store;
pub(crate) mod messages;
mod poll_messages;
mod reading;
mod remove_member;
mod send_message;

use std::collections::BTreeSet;

use assent_ids::{ConversationId, Principal};
use assent_protocol::a2h::ApiCode;
use assent_relay_api::{
    model::{ConnectionMode, RelationState},
    operations::conversations::{
        AddMembers, CreateConversation, GetConversation, ListConversations, ListMessages,
        PollMessages, RemoveMember, SendMessage,
    },
};
use assent_store::{StoreError, Tx};

pub(crate) use self::{
    founding::{Founded, add_member, found},
    leaving::{leave, leave_groups},
    reading::{Summary, describe},
    send_message::Sending,
};
use crate::{
    http::{Refusal, Routes},
    storage::stored_id::stored,
};

const MEMBERS: &str = "SELECT party_id FROM conversation_members
    WHERE conversation_id = $1 AND left_at IS NULL ORDER BY party_id";
/// The same with what matters to a message: whether an agent is called, whether the relation behind a private
/// conversation is alive, the number of the message before, and what an agent is to the person who brought it in.
const ADDRESSEES: &str = "SELECT m.party_id, a.connection_mode, r.status, c.last_seq, b.status
    FROM conversation_members m
    JOIN conversations c ON c.conversation_id = m.conversation_id
    LEFT JOIN agents a ON a.agent_id = m.party_id AND a.deleted_at IS NULL
    LEFT JOIN h2a_relations r ON r.conversation_id = m.conversation_id
    LEFT JOIN h2a_relations b ON b.user_id = m.added_by AND b.agent_id = m.party_id
    WHERE m.conversation_id = $1 AND m.left_at IS NULL ORDER BY m.party_id";
const MEMBERSHIP: &str = "SELECT joined_seq FROM conversation_members
    WHERE conversation_id = $1 AND party_id = $2 AND left_at IS NULL";
/// Of an agent in a group, what it is to the person who brought it in.
const BROUGHT_IN: &str = "SELECT b.status FROM conversation_members m
    JOIN conversations c ON c.conversation_id = m.conversation_id AND c.kind = 'group'
    LEFT JOIN h2a_relations b ON b.user_id = m.added_by AND b.agent_id = m.party_id
    WHERE m.conversation_id = $1 AND m.party_id = $2 AND m.left_at IS NULL";

/// Adds the operations on conversations and messages.
pub(crate) fn routes(routes: Routes) -> Routes {
    let routes = routes.serve::<ListConversations>().serve::<CreateConversation>();
    let routes = routes.serve::<GetConversation>().serve::<AddMembers>().serve::<RemoveMember>();
    routes.serve::<SendMessage>().serve::<ListMessages>().serve::<PollMessages>()
}

/// The members of a conversation. A `party` that is no member gets the same error as for a missing one.
pub(crate) async fn members_with(
    tx: &mut Tx,
    conversation: ConversationId,
    party: Principal,
) -> Result<BTreeSet<Principal>, Refusal> {
    let members = members(tx, conversation).await?;
    if members.contains(&party) { Ok(members) } else { Err(unknown()) }
}

/// The members of a conversation.
pub(crate) async fn members(
    tx: &mut Tx,
    conversation: ConversationId,
) -> Result<BTreeSet<Principal>, StoreError> {
    let rows = tx.all(MEMBERS, &[conversation.to_string().into()]).await?;
    rows.into_iter().map(|row| stored(&row.get::<String>(0)?)).collect()
}

/// The parties that a message concerns.
#[derive(Debug, Default)]
pub(crate) struct Addressees {
    pub(crate) members: BTreeSet<Principal>,
    /// Agents whose relation is not active: they neither send nor receive.
    pub(crate) silenced: BTreeSet<Principal>,
    /// Agents that are called.
    pub(crate) called: BTreeSet<Principal>,
    /// The state of the relation behind a private conversation.
    pub(crate) relation: Option<String>,
    /// The number of the last message.
    pub(crate) last_seq: i64,
}

/// The addressees of a message.
pub(crate) async fn addressees(
    tx: &mut Tx,
    conversation: ConversationId,
) -> Result<Addressees, StoreError> {
    let mut found = Addressees::default();
    for row in tx.all(ADDRESSEES, &[conversation.to_string().into()]).await? {
        let party = stored::<Principal>(&row.get::<String>(0)?)?;
        found.relation = row.get(2)?;
        found.last_seq = row.get(3)?;
        if is_silenced(party, row.get::<Option<String>>(4)?.as_deref()) {
            found.silenced.insert(party);
            continue;
        }
        if row.get::<Option<String>>(1)?.as_deref() == Some(ConnectionMode::Webhook.as_str()) {
            found.called.insert(party);
        }
        found.members.insert(party);
    }
    Ok(found)
}

/// The last message before `party` joined, if it is in the conversation.
pub(crate) async fn joined_after(
    tx: &mut Tx,
    conversation: ConversationId,
    party: Principal,
) -> Result<i64, Refusal> {
    let row = tx
        .optional(MEMBERSHIP, &[conversation.to_string().into(), party.to_string().into()])
        .await?;
    Ok(row.ok_or_else(unknown)?.get(0)?)
}

/// Refuses an agent in a group whose relation with the person who brought it in is not active.
pub(crate) async fn refuse_silenced(
    tx: &mut Tx,
    conversation: ConversationId,
    party: Principal,
) -> Result<(), Refusal> {
    let key = [conversation.to_string().into(), party.to_string().into()];
    let Some(row) = tx.optional(BROUGHT_IN, &key).await? else { return Ok(()) };
    if is_silenced(party, row.get::<Option<String>>(0)?.as_deref()) {
        return Err(silenced());
    }
    Ok(())
}

/// An agent takes part only while its relation with the person who added it is active.
fn is_silenced(party: Principal, relation: Option<&str>) -> bool {
    matches!(party, Principal::Agent(_)) && relation != Some(RelationState::Active.as_str())
}

pub(crate) fn silenced() -> Refusal {
    let text = "your relation with the person who brought you in is not active";
    Refusal::new(ApiCode::RelationInactive, text)
}

pub(crate) fn unknown() -> Refusal {
    Refusal::not_found("conversation")
}
