//! `GET /agents`

use std::{collections::BTreeMap, sync::Arc};

use assent_ids::{AgentId, ManifestHash, UserId};
use assent_protocol::{a2h::Page, wire::Open};
use assent_relay_api::{
    model::{AgentState, AgentSummary, ConnectionMode},
    operations::agents::{AgentSearch, SearchAgents},
};
use assent_store::{Dialect, Row, StoreError, Tx, Work};

use super::search_cursor::{self, SearchCursor};
use crate::{
    agents::catalog::{Entry, Wanted},
    http::{Answer, Call, Caller, Refusal, Serve},
    state::Relay,
    storage::{columns::to_json, stored_id::stored as id},
};

impl Serve for SearchAgents {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let after = search_cursor::read(&call.query)?;
        let search =
            Search { query: call.query, after, caller: call.caller, relay: Arc::clone(relay) };
        Ok(Answer::new(relay.store.read(search).await?))
    }
}

struct Search {
    query: AgentSearch,
    after: Option<SearchCursor>,
    caller: Caller,
    relay: Arc<Relay>,
}

/// What the catalog does not know. Each database takes a list of ids in its own way.
macro_rules! summaries {
    ($ids:literal) => {
        concat!(
            "SELECT a.agent_id, a.owner_id, u.display_name, a.name, a.description,
                a.connection_mode, a.suspended_at, a.capability_manifest_version,
                a.capability_manifest_hash
            FROM agents a JOIN users u ON u.user_id = a.owner_id
            WHERE a.deleted_at IS NULL AND a.agent_id IN (",
            $ids,
            ")"
        )
    };
}
const SUMMARIES_ON_SQLITE: &str = summaries!("SELECT value FROM json_each($1)");
const SUMMARIES_ON_POSTGRES: &str = summaries!("SELECT jsonb_array_elements_text($1)");

impl Work for Search {
    type Output = Page<AgentSummary>;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Page<AgentSummary>, Refusal> {
        self.relay.catalog.refresh(tx).await?;
        let limit = usize::try_from(self.query.limit.unwrap_or_default().get()).unwrap_or(1);
        let candidates = self.candidates();
        let mut page = Page { data: Vec::new(), next_cursor: None };
        let mut rest = candidates.as_slice();
        // Some may be hidden from the caller; others take their places.
        while page.data.len() < limit && !rest.is_empty() {
            let (looked_at, later) = rest.split_at(rest.len().min(limit - page.data.len()));
            page.data.extend(self.summaries(tx, looked_at).await?);
            let last = looked_at.last().filter(|_| !later.is_empty());
            page.next_cursor = last.map(|(place, _)| place.to_string());
            rest = later;
        }
        Ok(page)
    }
}

type Candidate = (SearchCursor, Arc<Entry>);

impl Search {
    /// Who may be among those looked for, in their order.
    fn candidates(&self) -> Vec<Candidate> {
        let catalog = &self.relay.catalog;
        let reader = self.caller.user().ok();
        if self.query.owned == Some(true) && reader.is_none() {
            // Agents own nothing.
            return Vec::new();
        }
        let owner = reader.filter(|_| self.query.owned == Some(true));
        let wanted = Wanted { scope: self.query.scope.clone(), owner };
        let rank = self.after.and_then(SearchCursor::rank);
        match &self.query.q {
            Some(words) => {
                let found = catalog.search(words.as_str(), &wanted, rank).into_iter();
                found.map(|(rank, entry)| (SearchCursor::Ranked(rank), entry)).collect()
            }
            None => {
                let found = catalog.list(&wanted, self.after.map(SearchCursor::agent)).into_iter();
                found.map(|entry| (SearchCursor::Listed(entry.agent_id), entry)).collect()
            }
        }
    }

    /// Those of `candidates` whom the caller may see.
    async fn summaries(
        &self,
        tx: &mut Tx,
        candidates: &[Candidate],
    ) -> Result<Vec<AgentSummary>, StoreError> {
        let ids: Vec<AgentId> = candidates.iter().map(|(_, entry)| entry.agent_id).collect();
        let statement = match tx.dialect() {
            Dialect::Sqlite => SUMMARIES_ON_SQLITE,
            Dialect::Postgres => SUMMARIES_ON_POSTGRES,
        };
        let mut rows = BTreeMap::new();
        for row in tx.all(statement, &[to_json(&ids)?.into()]).await? {
            let summary = Summary::read(&row)?;
            rows.insert(summary.agent_id, summary);
        }
        let reader = self.caller.user().ok();
        let visible = candidates.iter().filter_map(|(_, entry)| {
            let summary = rows.remove(&entry.agent_id)?;
            (!summary.suspended || reader == Some(summary.owner)).then(|| summary.with(entry))
        });
        Ok(visible.collect())
    }
}

/// What the tables know of an agent.
struct Summary {
    agent_id: AgentId,
    owner: UserId,
    owner_name: String,
    name: String,
    description: Option<String>,
    connection_mode: Open<ConnectionMode>,
    suspended: bool,
    version: u64,
    hash: Option<ManifestHash>,
}

impl Summary {
    fn read(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            agent_id: id(&row.get::<String>(0)?)?,
            owner: id(&row.get::<String>(1)?)?,
            owner_name: row.get(2)?,
            name: row.get(3)?,
            description: row.get(4)?,
            connection_mode: Open::read(&row.get::<String>(5)?),
            suspended: row.get::<Option<i64>>(6)?.is_some(),
            version: row.get(7)?,
            hash: row.get::<Option<String>>(8)?.map(|text| id(&text)).transpose()?,
        })
    }

    fn with(self, entry: &Entry) -> AgentSummary {
        let state = if self.suspended { AgentState::Suspended } else { AgentState::Active };
        AgentSummary {
            agent_id: self.agent_id,
            name: self.name,
            description: self.description,
            owner_name: self.owner_name,
            connection_mode: self.connection_mode,
            state: state.into(),
            capability_manifest_version: self.version,
            capability_manifest_hash: self.hash,
            tools: entry.tools.clone(),
            scopes: entry.scopes.clone(),
        }
    }
}
