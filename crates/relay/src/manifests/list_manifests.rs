//! `GET /agents/{agent_id}/manifests`

use std::sync::Arc;

use assent_ids::AgentId;
use assent_protocol::{a2h::Page, wire::Open};
use assent_relay_api::{Operation, model::ManifestVersion, operations::manifests::ListManifests};
use assent_store::{Row, StoreError, Tx, Work};

use crate::{
    agents,
    delivery::events::count,
    http::{Answer, Call, Caller, Refusal, Serve},
    state::Relay,
    storage::{pages, stored_id::stored as id, times::timestamp},
};

impl Serve for ListManifests {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let limit = call.query.limit.unwrap_or_default();
        let list = List {
            agent: call.path.agent_id,
            caller: call.caller,
            before: pages::number(call.query.cursor.as_ref())?.unwrap_or(i64::MAX),
            limit: count(limit.get()).saturating_add(1),
        };
        let versions = relay.store.read(list).await?;
        let place = |version: &ManifestVersion| version.version.to_string();
        let (data, next_cursor) = pages::cut(versions, limit, place);
        Ok(Answer::new(Page { data, next_cursor }))
    }
}

struct List {
    agent: AgentId,
    caller: Caller,
    before: i64,
    limit: i64,
}

const LIST: &str = "SELECT version, hash, size_bytes, breaking, published_by, created_at
    FROM agent_manifests WHERE agent_id = $1 AND version < $2 ORDER BY version DESC LIMIT $3";

impl Work for List {
    type Output = Vec<ManifestVersion>;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Vec<ManifestVersion>, Refusal> {
        agents::admit(tx, ListManifests::ACCESS, &self.caller, self.agent).await?;
        let row = [self.agent.to_string().into(), self.before.into(), self.limit.into()];
        let rows = tx.all(LIST, &row).await?;
        Ok(rows.iter().map(version).collect::<Result<_, _>>()?)
    }
}

fn version(row: &Row) -> Result<ManifestVersion, StoreError> {
    Ok(ManifestVersion {
        version: row.get(0)?,
        hash: id(&row.get::<String>(1)?)?,
        size_bytes: row.get(2)?,
        breaking: row.get::<i64>(3)? != 0,
        published_by: Open::read(&row.get::<String>(4)?),
        published_at: timestamp(row.get(5)?),
    })
}
