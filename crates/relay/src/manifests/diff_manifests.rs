//! `GET /agents/{agent_id}/manifests/diff`

use std::sync::Arc;

use assent_ids::AgentId;
use assent_relay_api::{
    Operation,
    operations::manifests::{DiffManifests, DiffQuery, ManifestDiff},
};
use assent_store::{Tx, Work};

use crate::{
    agents,
    http::{Answer, Call, Caller, Refusal, Serve},
    manifests::{self, Past},
    state::Relay,
};

impl Serve for DiffManifests {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let agent = call.path.agent_id;
        let pair = Pair { agent, caller: call.caller, query: call.query };
        let (earlier, later) = relay.store.read(pair).await?;
        let (from, to) = (earlier.version, later.version);
        let rules = relay.settings.manifest_rules;
        let lock = relay.publication_locks.take(agent).await;
        let compare = move || manifests::compare(&earlier.canonical, &later.canonical, rules);
        let comparison = lock.run(compare).await?;
        Ok(Answer::new(ManifestDiff {
            from,
            to,
            breaking: comparison.breaking,
            breaking_changes: comparison.breaking_changes(),
            changes: comparison.changes,
            scopes_requiring_reauth: comparison.scopes,
        }))
    }
}

/// The two manifests that are to be compared.
struct Pair {
    agent: AgentId,
    caller: Caller,
    query: DiffQuery,
}

impl Work for Pair {
    type Output = (Past, Past);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        agents::admit(tx, DiffManifests::ACCESS, &self.caller, self.agent).await?;
        let to = match self.query.to {
            Some(version) => version,
            None => agents::find(tx, self.agent).await?.ok_or_else(agents::unknown)?.version,
        };
        let from = self.query.from.unwrap_or(to.saturating_sub(1));
        Ok((self.past(tx, from).await?, self.past(tx, to).await?))
    }
}

impl Pair {
    async fn past(&self, tx: &mut Tx, version: u64) -> Result<Past, Refusal> {
        let past = manifests::past(tx, self.agent, version).await?;
        past.ok_or_else(|| Refusal::not_found("version of the manifest"))
    }
}
