//! `GET /admin/agents`

use std::sync::Arc;

use assent_ids::AgentId;
use assent_protocol::a2h::Page;
use assent_relay_api::{
    model::AgentState,
    operations::admin::{AllAgentsQuery, ListAllAgents, OperatedAgent},
};
use assent_store::{Row, StoreError, Tx, Work};

use super::operated_agent;
use crate::{
    delivery::events::count,
    http::{Answer, Call, Refusal, Serve},
    state::Relay,
    storage::stored_id::stored,
};

/// Agents that one request looks at. Who searches for something rare gets short pages.
const MAX_LOOKED_AT: u64 = 2_000;

impl Serve for ListAllAgents {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let list = List { wanted: Wanted::of(&call.query), query: call.query };
        let (data, next) = relay.store.read(list).await?;
        Ok(Answer::new(Page { data, next_cursor: next.map(|agent| agent.to_string()) }))
    }
}

/// Which agents are asked for.
struct Wanted {
    /// Each has to stand somewhere; in lower case, which databases know only for English.
    words: Vec<String>,
    state: Option<AgentState>,
}

impl Wanted {
    fn of(query: &AllAgentsQuery) -> Self {
        let text = query.q.as_ref().map(|text| text.as_str().to_lowercase()).unwrap_or_default();
        Self { words: text.split_whitespace().map(str::to_owned).collect(), state: query.state }
    }

    fn has(&self, text: &str, state: AgentState) -> bool {
        let text = text.to_lowercase();
        self.state.is_none_or(|wanted| wanted == state)
            && self.words.iter().all(|word| text.contains(word))
    }
}

struct List {
    wanted: Wanted,
    query: AllAgentsQuery,
}

const AFTER: &str = "SELECT agent_id, name, description, suspended_at FROM agents
    WHERE deleted_at IS NULL AND agent_id > $1 ORDER BY agent_id LIMIT $2";

impl Work for List {
    type Output = (Vec<OperatedAgent>, Option<AgentId>);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        let after = self.query.cursor.as_ref().map_or("", |cursor| cursor.as_str());
        let limit = self.query.limit.unwrap_or_default().get();
        let chunk = if self.wanted.words.is_empty() && self.wanted.state.is_none() {
            limit
        } else {
            MAX_LOOKED_AT
        };
        let rows = tx.all(AFTER, &[after.into(), count(chunk).into()]).await?;
        let all_seen = count(chunk) > count(u64::try_from(rows.len()).unwrap_or(u64::MAX));
        let (mut found, mut last) = (Vec::new(), None);
        for row in rows {
            if count(limit) <= count(u64::try_from(found.len()).unwrap_or(u64::MAX)) {
                return Ok((found, last));
            }
            let (agent, wanted) = self.look_at(&row)?;
            last = Some(agent);
            if wanted && let Some(agent) = operated_agent::load(tx, agent).await? {
                found.push(agent);
            }
        }
        Ok((found, last.filter(|_| !all_seen)))
    }
}

impl List {
    fn look_at(&self, row: &Row) -> Result<(AgentId, bool), StoreError> {
        let agent = stored(&row.get::<String>(0)?)?;
        let mut text = row.get::<String>(1)?;
        if let Some(description) = row.get::<Option<String>>(2)? {
            text.push('\n');
            text.push_str(&description);
        }
        let suspended = row.get::<Option<i64>>(3)?.is_some();
        let state = if suspended { AgentState::Suspended } else { AgentState::Active };
        Ok((agent, self.wanted.has(&text, state)))
    }
}

#[cfg(test)]
mod tests {
    use assent_relay_api::{model::AgentState, operations::admin::AllAgentsQuery};

    use super::Wanted;

    #[test]
    fn every_word_has_to_stand_somewhere_in_any_case_and_the_state_has_to_fit() {
        let query = |q: &str, state| AllAgentsQuery {
            q: Some(q.parse().unwrap()),
            state,
            ..AllAgentsQuery::default()
        };
        let text = "Ärzte-Helfer\nbooks appointments";
        assert!(Wanted::of(&query("ÄRZTE  books", None)).has(text, AgentState::Active));
        assert!(!Wanted::of(&query("ärzte flights", None)).has(text, AgentState::Active));
        let suspended = Wanted::of(&query("helfer", Some(AgentState::Suspended)));
        assert!(suspended.has(text, AgentState::Suspended));
        assert!(!suspended.has(text, AgentState::Active));
    }
}
