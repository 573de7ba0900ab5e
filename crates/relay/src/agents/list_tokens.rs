//! `GET /agents/{agent_id}/tokens`

use std::sync::Arc;

use assent_ids::AgentId;
use assent_protocol::a2h::Page;
use assent_relay_api::{Operation, model::AgentToken, operations::agents::ListTokens};
use assent_store::{Row, StoreError, Tx, Work};

use crate::{
    agents,
    http::{Answer, Call, Caller, Refusal, Serve},
    state::Relay,
    storage::{columns::json, stored_id::stored as id, times::timestamp},
};

impl Serve for ListTokens {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let list = List { agent: call.path.agent_id, caller: call.caller };
        Ok(Answer::new(Page { data: relay.store.read(list).await?, next_cursor: None }))
    }
}

struct List {
    agent: AgentId,
    caller: Caller,
}

/// There are ten at most.
const LIST: &str = "SELECT token_id, name, scopes, created_at, last_used_at FROM agent_tokens
    WHERE agent_id = $1 AND revoked_at IS NULL ORDER BY token_id";

impl Work for List {
    type Output = Vec<AgentToken>;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Vec<AgentToken>, Refusal> {
        agents::admit(tx, ListTokens::ACCESS, &self.caller, self.agent).await?;
        let rows = tx.all(LIST, &[self.agent.to_string().into()]).await?;
        Ok(rows.iter().map(token).collect::<Result<_, _>>()?)
    }
}

fn token(row: &Row) -> Result<AgentToken, StoreError> {
    Ok(AgentToken {
        token_id: id(&row.get::<String>(0)?)?,
        name: row.get(1)?,
        scopes: json(&row.get::<String>(2)?)?,
        created_at: timestamp(row.get(3)?),
        last_used_at: row.get::<Option<i64>>(4)?.map(timestamp),
    })
}
