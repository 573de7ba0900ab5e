//! Publishing a manifest: stores the next version and notes the broadcast about it.

use assent_ids::{AgentId, Principal, UserId};
use assent_protocol::{
    a2h::{CapabilityChanged, ReauthRequired, RelayEventType},
    wire::{Count, Object},
};
use assent_relay_api::model::PublishedBy;
use assent_store::{Dialect, StoreError, Tx};

use super::{Checked, Comparison};
use crate::{
    agents::telemetry,
    delivery::{
        events::{self, Content, count},
        outbox::Outbox,
    },
    manifests::broadcasts,
    state::Relay,
    storage::{columns::to_json, times::millis},
};

/// A manifest that follows another one, or is the first.
pub(crate) struct Publication<'a> {
    pub(crate) agent: AgentId,
    pub(crate) owner: UserId,
    pub(crate) manifest: &'a Checked,
    /// How it differs from the one before; `None` if it is the first.
    pub(crate) comparison: Option<&'a Comparison>,
    /// The version before; 0 if it is the first.
    pub(crate) previous: u64,
    pub(crate) by: PublishedBy,
    /// Whether the agent is made along with it: then there are no recipients yet.
    pub(crate) is_new_agent: bool,
}

const MOVE: &str = "UPDATE agents SET capability_manifest = $2, capability_manifest_version = $3,
        capability_manifest_hash = $4, updated_at = $5
    WHERE agent_id = $1";
const RECORD: &str = "INSERT INTO agent_manifests (agent_id, version, hash, canonical, size_bytes,
        agent_version, breaking, warnings, published_by, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
const FORGET_SCOPES: &str = "DELETE FROM agent_scopes WHERE agent_id = $1";
const SCOPES_ON_SQLITE: &str = "INSERT INTO agent_scopes (agent_id, scope)
    SELECT $1, value FROM json_each($2)";
const SCOPES_ON_POSTGRES: &str = "INSERT INTO agent_scopes (agent_id, scope)
    SELECT $1, jsonb_array_elements_text($2)";

/// Publishes, and says under which version. The caller holds the lock of the agent.
pub(crate) async fn publish(
    tx: &mut Tx,
    relay: &Relay,
    publication: &Publication<'_>,
    outbox: &mut Outbox,
) -> Result<u64, StoreError> {
    let version = publication.previous.saturating_add(1);
    let now = millis(relay.now());
    record(tx, publication, version, now).await?;
    declare(tx, publication).await?;
    telemetry::note_size(tx, relay, publication, outbox).await?;
    if !publication.is_new_agent {
        tell_agent(tx, relay, publication, version, outbox).await?;
    }
    if let Some(comparison) = publication.comparison {
        let news = broadcasts::News {
            agent: publication.agent,
            version,
            hash: &publication.manifest.hash,
            reauth: comparison.breaking.then_some(comparison.scopes.as_slice()),
        };
        broadcasts::begin(tx, &news, outbox).await?;
        if comparison.breaking {
            tell_whom_it_waits_for(tx, relay, publication, comparison, version, outbox).await?;
        }
    }
    Ok(version)
}

async fn record(
    tx: &mut Tx,
    publication: &Publication<'_>,
    version: u64,
    now: i64,
) -> Result<(), StoreError> {
    let agent_id = publication.agent.to_string();
    let manifest = publication.manifest;
    let (canonical, hash) = (&manifest.canonical, manifest.hash.as_str());
    let version = count(version);
    let row = [(&agent_id).into(), canonical.into(), version.into(), hash.into(), now.into()];
    tx.execute(MOVE, &row).await?;
    let breaking = i64::from(publication.comparison.is_some_and(|comparison| comparison.breaking));
    let row = [
        agent_id.into(),
        version.into(),
        hash.into(),
        canonical.into(),
        i64::try_from(canonical.len()).unwrap_or(i64::MAX).into(),
        (&manifest.agent_version).into(),
        breaking.into(),
        to_json(&manifest.warnings)?.into(),
        publication.by.as_str().into(),
        now.into(),
    ];
    tx.execute(RECORD, &row).await?;
    Ok(())
}

async fn declare(tx: &mut Tx, publication: &Publication<'_>) -> Result<(), StoreError> {
    let agent_id = publication.agent.to_string();
    tx.execute(FORGET_SCOPES, &[(&agent_id).into()]).await?;
    let insert = match tx.dialect() {
        Dialect::Sqlite => SCOPES_ON_SQLITE,
        Dialect::Postgres => SCOPES_ON_POSTGRES,
    };
    let scopes = to_json(&publication.manifest.scopes)?;
    tx.execute(insert, &[agent_id.into(), scopes.into()]).await?;
    Ok(())
}

/// Tells the agent what it declares from now on, also if it published the manifest itself: it may run as several
/// processes.
async fn tell_agent(
    tx: &mut Tx,
    relay: &Relay,
    publication: &Publication<'_>,
    version: u64,
    outbox: &mut Outbox,
) -> Result<(), StoreError> {
    let notice = CapabilityChanged {
        agent_id: publication.agent,
        manifest_version: Count(version),
        manifest_hash: publication.manifest.hash.clone(),
        user_id: None,
        accepted: None,
        granted_scopes: None,
        extra: Object::new(),
    };
    let content = Content::notice(RelayEventType::CapabilityChanged, &notice)?;
    let agent = Principal::Agent(publication.agent);
    events::append_one(tx, &relay.minter, agent, &content, outbox).await?;
    Ok(())
}

/// The agent learns whom it will wait for; if it is called, by a delivery.
async fn tell_whom_it_waits_for(
    tx: &mut Tx,
    relay: &Relay,
    publication: &Publication<'_>,
    comparison: &Comparison,
    version: u64,
    outbox: &mut Outbox,
) -> Result<(), StoreError> {
    let notice = ReauthRequired {
        agent_id: publication.agent,
        new_manifest_version: Count(version),
        new_manifest_hash: publication.manifest.hash.clone(),
        scopes_requiring_reauth: comparison.scopes.clone(),
        extra: Object::new(),
    };
    let content = Content::notice(RelayEventType::ReauthRequired, &notice)?;
    let agent = Principal::Agent(publication.agent);
    events::append_one(tx, &relay.minter, agent, &content, outbox).await?;
    Ok(())
}
