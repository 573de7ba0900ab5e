//! `GET /agents/{agent_id}/manifests/{version}`

use std::sync::Arc;

use assent_relay_api::{
    Operation,
    model::PublishedManifest,
    operations::manifests::{GetManifest, ManifestPath},
};
use assent_store::{Tx, Work};

use crate::{
    agents,
    http::{Answer, Call, Caller, Refusal, Serve},
    manifests,
    state::Relay,
    storage::{columns::json, times::timestamp},
};

impl Serve for GetManifest {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let get = Get { path: call.path, caller: call.caller };
        Ok(Answer::new(relay.store.read(get).await?))
    }
}

struct Get {
    path: ManifestPath,
    caller: Caller,
}

impl Work for Get {
    type Output = PublishedManifest;
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<PublishedManifest, Refusal> {
        let ManifestPath { agent_id, version } = self.path;
        agents::admit(tx, GetManifest::ACCESS, &self.caller, agent_id).await?;
        let past = manifests::past(tx, agent_id, version).await?;
        let past = past.ok_or_else(|| Refusal::not_found("manifest"))?;
        Ok(PublishedManifest {
            version: past.version,
            hash: past.hash,
            published_at: timestamp(past.published_at),
            capability_manifest: json(&past.canonical)?,
        })
    }
}
