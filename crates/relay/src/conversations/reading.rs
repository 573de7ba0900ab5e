//! Conversations, as answers tell them.

use assent_ids::{ConversationId, ConversationSeq, Principal};
use assent_protocol::{a2h::SenderType, wire::Open};
use assent_relay_api::model::{Conversation, Member, MemberRole};
use assent_store::{Row, StoreError, Tx};

use crate::storage::{stored_id::stored, times::timestamp};

/// A row of `conversations`.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    pub(crate) conversation_id: ConversationId,
    pub(crate) kind: String,
    pub(crate) founder: String,
    pub(crate) last_seq: u64,
    pub(crate) created_at: i64,
    pub(crate) active_at: i64,
}

const SUMMARY: &str = "SELECT conversation_id, kind, founder_id, last_seq, created_at, active_at
    FROM conversations WHERE conversation_id = $1";
/// People and agents by the names that they have now.
const MEMBERS: &str = "SELECT m.party_id, m.added_by, m.joined_at,
        coalesce(u.display_name, a.name, '')
    FROM conversation_members m
    LEFT JOIN users u ON u.user_id = m.party_id
    LEFT JOIN agents a ON a.agent_id = m.party_id
    WHERE m.conversation_id = $1 AND m.left_at IS NULL ORDER BY m.joined_at, m.party_id";

impl Summary {
    /// Reads the columns `conversation_id, kind, founder_id, last_seq, created_at, active_at`.
    pub(crate) fn stored(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            conversation_id: stored(&row.get::<String>(0)?)?,
            kind: row.get(1)?,
            founder: row.get(2)?,
            last_seq: row.get(3)?,
            created_at: row.get(4)?,
            active_at: row.get(5)?,
        })
    }

    /// The conversation with this id.
    pub(crate) async fn of(
        tx: &mut Tx,
        conversation: ConversationId,
    ) -> Result<Option<Self>, StoreError> {
        let row = tx.optional(SUMMARY, &[conversation.to_string().into()]).await?;
        row.map(|row| Self::stored(&row)).transpose()
    }
}

/// A conversation with its members.
pub(crate) async fn describe(tx: &mut Tx, summary: Summary) -> Result<Conversation, StoreError> {
    let rows = tx.all(MEMBERS, &[summary.conversation_id.to_string().into()]).await?;
    let members = rows.iter().map(|row| member(row, &summary.founder));
    Ok(Conversation {
        conversation_id: summary.conversation_id,
        kind: Open::read(&summary.kind),
        members: members.collect::<Result<_, _>>()?,
        last_seq: ConversationSeq(summary.last_seq),
        created_at: timestamp(summary.created_at),
    })
}

fn member(row: &Row, founder: &str) -> Result<Member, StoreError> {
    let party_id: String = row.get(0)?;
    let party = stored::<Principal>(&party_id)?;
    let role = if party_id == founder { MemberRole::Founder } else { MemberRole::Member };
    let added_by = row.get::<Option<String>>(1)?;
    Ok(Member {
        member_id: party,
        member_type: match party {
            Principal::User(_) => SenderType::Human,
            Principal::Agent(_) => SenderType::Agent,
        }
        .into(),
        added_by: added_by.map(|id| stored(&id)).transpose()?,
        joined_at: timestamp(row.get(2)?),
        name: row.get(3)?,
        role: role.into(),
    })
}
