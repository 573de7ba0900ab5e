//! `GET /h2a/relations`

use std::sync::Arc;

use assent_ids::{AgentId, Principal, RelationId, UserId};
use assent_protocol::a2h::Page;
use assent_relay_api::{
    model::{Relation, RelationState},
    operations::relations::{ListRelations, RelationsQuery},
    value::Cursor,
};
use assent_store::{StoreError, Tx, Work};

use crate::{
    delivery::events::count,
    http::{Answer, Call, Caller, Refusal, Serve},
    relations::{self, Whose},
    state::Relay,
    storage::{cursor, pages},
};

impl Serve for ListRelations {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let limit = call.query.limit.unwrap_or_default();
        let before = call.query.cursor.as_ref().map(|given| given.as_str().parse::<RelationId>());
        before.transpose().map_err(|_| cursor::unknown())?;
        let relations = relay.store.read(List { caller: call.caller, query: call.query }).await?;
        let place = |relation: &Relation| relation.relation_id.to_string();
        let (data, next_cursor) = pages::cut(relations, limit, place);
        Ok(Answer::new(Page { data, next_cursor }))
    }
}

struct List {
    caller: Caller,
    query: RelationsQuery,
}

const OWNED: &str = "SELECT count(*) FROM agents WHERE agent_id = $1 AND owner_id = $2";

impl Work for List {
    /// One more than was asked for, if there are more.
    type Output = Vec<Relation>;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Vec<Relation>, Refusal> {
        let Some(whose) = self.whose(tx).await? else { return Ok(Vec::new()) };
        let state = self.query.state.map(RelationState::as_str).unwrap_or_default();
        let before = self.query.cursor.as_ref().map(Cursor::as_str).unwrap_or_default();
        let limit = count(self.query.limit.unwrap_or_default().get()).saturating_add(1);
        let found = relations::list(tx, whose, (state, before), limit).await?;
        Ok(found.into_iter().map(|found| found.relation).collect())
    }
}

impl List {
    /// Of which person and which agent; `None` if there can be none.
    async fn whose(&self, tx: &mut Tx) -> Result<Option<Whose>, Refusal> {
        Ok(match (self.caller.party()?, self.query.agent_id) {
            (Principal::Agent(agent), Some(wanted)) if wanted != agent => None,
            (Principal::Agent(agent), _) => Some(Whose::Agent(agent)),
            (Principal::User(user), None) => Some(Whose::Person(user)),
            // Owners see all relations with their agent.
            (Principal::User(user), Some(agent)) if owns(tx, user, agent).await? => {
                Some(Whose::Agent(agent))
            }
            (Principal::User(user), Some(agent)) => Some(Whose::Both(user, agent)),
        })
    }
}

async fn owns(tx: &mut Tx, user: UserId, agent: AgentId) -> Result<bool, StoreError> {
    let key = [agent.to_string().into(), user.to_string().into()];
    Ok(tx.scalar::<i64>(OWNED, &key).await? > 0)
}
