//! The people that the agent has relations with.

use assent_ids::{ConversationId, EventSeq, RelationId, UserId};
use assent_mailbox::MailboxError;
use assent_protocol::a2h::RelationNotice;
use assent_relay_api::{
    model::{Relation, RelationState},
    operations::relations::{ListRelations, RelationsQuery},
};
use assent_relay_client::Client;
use assent_store::{Database, Row, Tx};

use crate::{AgentError, works::PutRelations};

const UPSERT: &str =
    "INSERT INTO agent_relations (conversation_id, relation_id, user_id, is_active)
    VALUES ($1, $2, $3, $4)
    ON CONFLICT (conversation_id) DO UPDATE SET relation_id = excluded.relation_id,
    user_id = excluded.user_id, is_active = excluded.is_active";
const SET_ACTIVE: &str = "UPDATE agent_relations SET is_active = $2 WHERE relation_id = $1";
const FIND: &str = "SELECT conversation_id, relation_id, user_id, is_active FROM agent_relations
    WHERE conversation_id = $1";
const ALL: &str = "SELECT conversation_id, relation_id, user_id, is_active FROM agent_relations
    ORDER BY conversation_id /* whole table */";
const LAST_CHANGE: &str = "SELECT event_id FROM agent_last_change WHERE only_row = 1";
const SET_LAST_CHANGE: &str = "INSERT INTO agent_last_change (only_row, event_id) VALUES (1, $1)
    ON CONFLICT (only_row) DO UPDATE SET event_id = excluded.event_id";
const OF_RELATION: &str = "SELECT conversation_id FROM agent_relations
    WHERE relation_id = $1 LIMIT 1";

/// The most pages of relations that are read.
const MAX_PAGES: usize = 10_000;

/// A relation with a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelationSummary {
    /// The id of the relation.
    pub relation_id: RelationId,
    /// The conversation of the agent and the person.
    pub conversation_id: ConversationId,
    /// The person.
    pub user_id: UserId,
    /// Whether messages are delivered.
    pub is_active: bool,
}

impl From<&Relation> for RelationSummary {
    fn from(relation: &Relation) -> Self {
        Self {
            relation_id: relation.relation_id,
            conversation_id: relation.conversation_id,
            user_id: relation.user_id,
            is_active: relation.state.known() == Some(RelationState::Active),
        }
    }
}

impl RelationSummary {
    /// The relation that an event is about; `None` if the event names no conversation.
    pub(crate) fn from_notice(notice: &RelationNotice, is_active: bool) -> Option<Self> {
        Some(Self {
            relation_id: notice.relation_id,
            conversation_id: notice.conversation_id?,
            user_id: notice.user_id,
            is_active,
        })
    }
}

pub(crate) async fn put(tx: &mut Tx, relation: &RelationSummary) -> Result<(), MailboxError> {
    let values = [
        relation.conversation_id.to_string().into(),
        relation.relation_id.to_string().into(),
        relation.user_id.to_string().into(),
        i64::from(relation.is_active).into(),
    ];
    Ok(tx.execute(UPSERT, &values).await?)
}

pub(crate) async fn set_active(
    tx: &mut Tx,
    relation: RelationId,
    is_active: bool,
) -> Result<(), MailboxError> {
    let values = [relation.to_string().into(), i64::from(is_active).into()];
    Ok(tx.execute(SET_ACTIVE, &values).await?)
}

pub(crate) async fn find(
    tx: &mut Tx,
    conversation: ConversationId,
) -> Result<Option<RelationSummary>, MailboxError> {
    let row = tx.optional(FIND, &[conversation.to_string().into()]).await?;
    row.map(|row| read(&row)).transpose()
}

pub(crate) async fn all(tx: &mut Tx) -> Result<Vec<RelationSummary>, MailboxError> {
    tx.all(ALL, &[]).await?.iter().map(read).collect()
}

fn read(row: &Row) -> Result<RelationSummary, MailboxError> {
    Ok(RelationSummary {
        conversation_id: id(row, 0)?,
        relation_id: id(row, 1)?,
        user_id: id(row, 2)?,
        is_active: row.get::<i64>(3)? != 0,
    })
}

fn id<T: std::str::FromStr>(row: &Row, column: usize) -> Result<T, MailboxError> {
    row.get::<String>(column)?.parse().map_err(|_| MailboxError::Damaged("relation"))
}

/// The conversation of a relation.
pub(crate) async fn conversation_of(
    tx: &mut Tx,
    relation: RelationId,
) -> Result<Option<ConversationId>, MailboxError> {
    let row = tx.optional(OF_RELATION, &[relation.to_string().into()]).await?;
    row.map(|row| id(&row, 0)).transpose()
}

/// The last event that changed a relation.
pub(crate) async fn last_change(tx: &mut Tx) -> Result<EventSeq, MailboxError> {
    let row = tx.optional(LAST_CHANGE, &[]).await?;
    Ok(match row {
        Some(row) => EventSeq(row.get(0)?),
        None => EventSeq::default(),
    })
}

pub(crate) async fn set_last_change(tx: &mut Tx, event_id: EventSeq) -> Result<(), MailboxError> {
    let event_id = i64::try_from(event_id.0).map_err(|_| MailboxError::Damaged("event number"))?;
    Ok(tx.execute(SET_LAST_CHANGE, &[event_id.into()]).await?)
}

/// Stores all relations that the relay knows.
pub(crate) async fn load(database: &Database, client: &Client) -> Result<(), AgentError> {
    let mut query = RelationsQuery::default();
    for _ in 0..MAX_PAGES {
        let page = client.call::<ListRelations>(&(), &query, &()).await?;
        let relations = page.data.iter().map(RelationSummary::from).collect();
        database.write(PutRelations(relations)).await?;
        let Some(cursor) = page.next_cursor.and_then(|cursor| cursor.try_into().ok()) else {
            break;
        };
        query.cursor = Some(cursor);
    }
    Ok(())
}
