//! How conversations begin and grow.

use assent_ids::{ConversationId, Principal, UnixMillis, UserId};
use assent_relay_api::model::ConversationKind;
use assent_store::{StoreError, Tx};

use crate::storage::times::millis;

/// A conversation that begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Founded {
    pub(crate) conversation_id: ConversationId,
    pub(crate) kind: ConversationKind,
    pub(crate) founder: UserId,
    pub(crate) now: UnixMillis,
}

const FOUND: &str = "INSERT INTO conversations
    (conversation_id, kind, founder_id, created_at, active_at) VALUES ($1, $2, $3, $4, $4)";
/// A member that returns sees later messages, like every new member.
const JOIN: &str = "INSERT INTO conversation_members
        (conversation_id, party_id, added_by, joined_at, joined_seq)
    SELECT conversation_id, $2, $3, $4, last_seq FROM conversations WHERE conversation_id = $1
    ON CONFLICT (conversation_id, party_id) DO UPDATE SET added_by = excluded.added_by,
        joined_at = excluded.joined_at, joined_seq = excluded.joined_seq, left_at = NULL
    WHERE conversation_members.left_at IS NOT NULL";

/// Begins a conversation, with its founder in it.
pub(crate) async fn found(tx: &mut Tx, founded: Founded) -> Result<(), StoreError> {
    let row = [
        founded.conversation_id.to_string().into(),
        founded.kind.as_str().into(),
        founded.founder.to_string().into(),
        millis(founded.now).into(),
    ];
    tx.execute(FOUND, &row).await?;
    let founder = Principal::User(founded.founder);
    add_member(tx, founded.conversation_id, founder, None, founded.now).await
}

/// Adds a member; a party that is a member already stays one.
pub(crate) async fn add_member(
    tx: &mut Tx,
    conversation: ConversationId,
    member: Principal,
    added_by: Option<UserId>,
    now: UnixMillis,
) -> Result<(), StoreError> {
    let added_by = added_by.map(|person| person.to_string());
    let row = [
        conversation.to_string().into(),
        member.to_string().into(),
        added_by.into(),
        millis(now).into(),
    ];
    tx.execute(JOIN, &row).await?;
    Ok(())
}
