//! Relations, as the tables hold them.

use assent_ids::{AgentId, RelationId, ScopeId, UserId};
use assent_protocol::wire::Open;
use assent_relay_api::{
    ledger::RelationKey,
    model::{Relation, RelationGrant, RelationState},
};
use assent_store::{Row, StoreError, Tx, Value};

use crate::storage::{columns::json, stored_id::stored as id, times::timestamp};

/// A query for relations, in the order of the columns that [`Found::read`] reads.
macro_rules! relations {
    ($which:literal) => {
        concat!(
            "SELECT r.relation_id, r.conversation_id, r.user_id, u.display_name, r.agent_id, a.name,
                r.status, r.granted_scopes, r.manifest_hash, r.manifest_version, r.reauth_scopes,
                (SELECT l.digest FROM ledger_entries l WHERE l.relation_id = r.relation_id
                    ORDER BY l.position DESC LIMIT 1),
                r.suspended_by, r.suspended_reason, r.created_at, r.updated_at, a.owner_id,
                r.reauth_version, r.told_version
            FROM h2a_relations r
            JOIN users u ON u.user_id = r.user_id JOIN agents a ON a.agent_id = r.agent_id ",
            $which
        )
    };
}

const FIND: &str = relations!("WHERE r.relation_id = $1");
const BETWEEN: &str = relations!("WHERE r.user_id = $1 AND r.agent_id = $2");
const UNTOLD: &str = relations!(
    "WHERE r.agent_id = $1 AND r.user_id > $2 AND r.user_id <= $3 AND r.told_version = -1
    ORDER BY r.user_id"
);
/// The empty text stands for any state, or for the beginning.
const OF_PERSON: &str = relations!(
    "WHERE r.user_id = $1 AND ($2 = '' OR r.status = $2) AND ($3 = '' OR r.relation_id < $3)
    ORDER BY r.relation_id DESC LIMIT $4"
);
const OF_AGENT: &str = relations!(
    "WHERE r.agent_id = $1 AND ($2 = '' OR r.status = $2) AND ($3 = '' OR r.relation_id < $3)
    ORDER BY r.relation_id DESC LIMIT $4"
);
const OF_BOTH: &str = relations!(
    "WHERE r.user_id = $1 AND r.agent_id = $5 AND ($2 = '' OR r.status = $2)
        AND ($3 = '' OR r.relation_id < $3)
    ORDER BY r.relation_id DESC LIMIT $4"
);

/// Whose relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    Person(UserId),
    Agent(AgentId),
    Both(UserId, AgentId),
}

/// A relation, with what only the relay needs to know about it.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) relation: Relation,
    /// Who owns the agent.
    pub(crate) owner: UserId,
    /// What the person has to agree to again, granted or not.
    pub(crate) asked: Vec<ScopeId>,
    /// The manifest since which the person has to.
    pub(crate) reauth_version: Option<i64>,
    /// The newest manifest that the person knows about.
    pub(crate) told_version: i64,
}

impl Found {
    /// Which chain of the ledger is its own.
    pub(crate) const fn key(&self) -> RelationKey {
        RelationKey { user_id: self.relation.user_id, agent_id: self.relation.agent_id }
    }

    pub(crate) fn is(&self, state: RelationState) -> bool {
        self.relation.state == state
    }

    /// What the person grants now.
    pub(crate) fn grant(&self) -> RelationGrant {
        RelationGrant {
            relation_id: self.relation.relation_id,
            conversation_id: self.relation.conversation_id,
            granted_scopes: self.relation.granted_scopes.clone(),
            manifest_hash: self.relation.manifest_hash.clone(),
            manifest_version: self.relation.manifest_version,
        }
    }

    fn read(row: &Row) -> Result<Self, StoreError> {
        let granted_scopes: Vec<ScopeId> = json(&row.get::<String>(7)?)?;
        let asked: Vec<ScopeId> = json(&row.get::<String>(10)?)?;
        let waiting = asked.iter().filter(|scope| granted_scopes.contains(scope)).cloned();
        let relation = Relation {
            relation_id: id(&row.get::<String>(0)?)?,
            conversation_id: id(&row.get::<String>(1)?)?,
            user_id: id(&row.get::<String>(2)?)?,
            user_name: row.get(3)?,
            agent_id: id(&row.get::<String>(4)?)?,
            agent_name: row.get(5)?,
            state: Open::read(&row.get::<String>(6)?),
            manifest_hash: id(&row.get::<String>(8)?)?,
            manifest_version: row.get(9)?,
            scopes_requiring_reauth: waiting.collect(),
            granted_scopes,
            ledger_head: id::<assent_json::Digest>(&row.get::<String>(11)?)?.into(),
            suspended_by: row.get::<Option<String>>(12)?.map(|word| Open::read(&word)),
            suspended_reason: row.get(13)?,
            created_at: timestamp(row.get(14)?),
            updated_at: timestamp(row.get(15)?),
        };
        Ok(Self {
            relation,
            owner: id(&row.get::<String>(16)?)?,
            asked,
            reauth_version: row.get(17)?,
            told_version: row.get(18)?,
        })
    }
}

/// A relation by its id.
pub(crate) async fn find(tx: &mut Tx, relation: RelationId) -> Result<Option<Found>, StoreError> {
    let row = tx.optional(FIND, &[relation.to_string().into()]).await?;
    row.as_ref().map(Found::read).transpose()
}

/// The relation of these two, whatever its state.
pub(crate) async fn between(
    tx: &mut Tx,
    user: UserId,
    agent: AgentId,
) -> Result<Option<Found>, StoreError> {
    let row = tx.optional(BETWEEN, &[user.to_string().into(), agent.to_string().into()]).await?;
    row.as_ref().map(Found::read).transpose()
}

/// Relations that ended with their agent, of people without an event about it; see `broadcasts`.
pub(crate) async fn untold(tx: &mut Tx, people: &[Value<'_>]) -> Result<Vec<Found>, StoreError> {
    tx.all(UNTOLD, people).await?.iter().map(Found::read).collect()
}

/// At most `limit` relations in a state, before another one, newest first; the empty text leaves a choice
/// open.
pub(crate) async fn list(
    tx: &mut Tx,
    whose: Whose,
    (state, before): (&str, &str),
    limit: i64,
) -> Result<Vec<Found>, StoreError> {
    let row = |id: String| [id.into(), state.into(), before.into(), limit.into()];
    let rows = match whose {
        Whose::Person(user) => tx.all(OF_PERSON, &row(user.to_string())).await?,
        Whose::Agent(agent) => tx.all(OF_AGENT, &row(agent.to_string())).await?,
        Whose::Both(user, agent) => {
            let [id, state, before, limit] = row(user.to_string());
            tx.all(OF_BOTH, &[id, state, before, limit, agent.to_string().into()]).await?
        }
    };
    rows.iter().map(Found::read).collect()
}
