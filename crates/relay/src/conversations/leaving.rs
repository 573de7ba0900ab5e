//! How members leave conversations.

use assent_ids::{ConversationId, Principal, UnixMillis};
use assent_relay_api::model::Relation;
use assent_store::{StoreError, Tx};

use crate::storage::times::millis;

const LEAVE: &str = "UPDATE conversation_members SET left_at = $3
    WHERE conversation_id = $1 AND party_id = $2 AND left_at IS NULL";
/// A person who leaves takes along the agents that they added.
const LEAVE_ALONG: &str = "UPDATE conversation_members SET left_at = $3
    WHERE conversation_id = $1 AND added_by = $2 AND left_at IS NULL";
/// The private conversation stays: the two keep it, however often they part.
const LEAVE_GROUPS: &str = "UPDATE conversation_members SET left_at = $4
    WHERE party_id = $1 AND added_by = $2 AND conversation_id <> $3 AND left_at IS NULL";

/// Removes a member from a group, with the agents that the member added.
pub(crate) async fn leave(
    tx: &mut Tx,
    conversation: ConversationId,
    member: Principal,
    now: UnixMillis,
) -> Result<(), StoreError> {
    let values = [conversation.to_string().into(), member.to_string().into(), millis(now).into()];
    tx.execute(LEAVE, &values).await?;
    tx.execute(LEAVE_ALONG, &values).await
}

/// An agent leaves every group that a person brought it into, because the two have parted.
pub(crate) async fn leave_groups(
    tx: &mut Tx,
    relation: &Relation,
    now: UnixMillis,
) -> Result<(), StoreError> {
    let row = [
        relation.agent_id.to_string().into(),
        relation.user_id.to_string().into(),
        relation.conversation_id.to_string().into(),
        millis(now).into(),
    ];
    tx.execute(LEAVE_GROUPS, &row).await
}
