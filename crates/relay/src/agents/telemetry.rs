//! What the owner of an agent should look at, as long as it is so.

use assent_ids::{AgentId, Principal};
use assent_manifest::{Code, LARGE_MANIFEST_BYTES, MAX_MANIFEST_BYTES};
use assent_protocol::{
    a2h::{RelayEventType, TelemetryNotice},
    wire::Object,
};
use assent_relay_api::model::TelemetryWarning;
use assent_store::{StoreError, Tx};

use crate::{
    delivery::{
        events::{self, Content},
        outbox::Outbox,
    },
    manifests::Publication,
    state::Relay,
    storage::{
        columns::{json, to_json},
        times::{millis, timestamp},
    },
};

const KEEP: &str = "INSERT INTO agent_telemetry (agent_id, code, message, params, since)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (agent_id, code)
    DO UPDATE SET message = excluded.message, params = excluded.params";
const FORGET: &str = "DELETE FROM agent_telemetry WHERE agent_id = $1 AND code = $2";
const ALL: &str = "SELECT code, message, params, since FROM agent_telemetry
    WHERE agent_id = $1 ORDER BY code";

/// Keeps in mind that a manifest is large, and tells the owner; or forgets it.
pub(crate) async fn note_size(
    tx: &mut Tx,
    relay: &Relay,
    publication: &Publication<'_>,
    outbox: &mut Outbox,
) -> Result<(), StoreError> {
    let (agent_id, code) = (publication.agent.to_string(), Code::ManifestLarge.as_str());
    if !publication.manifest.is_large() {
        tx.execute(FORGET, &[agent_id.into(), code.into()]).await?;
        return Ok(());
    }
    let notice = large(publication.agent, publication.manifest.canonical.len());
    let params = to_json(&notice.params)?;
    let now = millis(relay.now()).into();
    let row = [agent_id.into(), code.into(), (&notice.message).into(), params.into(), now];
    tx.execute(KEEP, &row).await?;
    let content = Content::notice(RelayEventType::Telemetry, &notice)?;
    let owner = Principal::User(publication.owner);
    events::append_one(tx, &relay.minter, owner, &content, outbox).await?;
    Ok(())
}

fn large(agent_id: AgentId, bytes: usize) -> TelemetryNotice {
    let params = [
        ("size_bytes", bytes),
        ("warn_from_bytes", LARGE_MANIFEST_BYTES),
        ("limit_bytes", MAX_MANIFEST_BYTES),
    ];
    TelemetryNotice {
        agent_id,
        code: Code::ManifestLarge.to_string(),
        message: format!(
            "the manifest has {bytes} bytes in canonical form and will be refused above \
             {MAX_MANIFEST_BYTES}"
        ),
        params: Some(params.map(|(name, value)| (name.to_owned(), value.into())).into()),
        extra: Object::new(),
    }
}

/// Everything that the owner should look at.
pub(crate) async fn warnings(
    tx: &mut Tx,
    agent: AgentId,
) -> Result<Vec<TelemetryWarning>, StoreError> {
    let mut warnings = Vec::new();
    for row in tx.all(ALL, &[agent.to_string().into()]).await? {
        warnings.push(TelemetryWarning {
            code: row.get(0)?,
            message: row.get(1)?,
            params: json(&row.get::<String>(2)?)?,
            since: timestamp(row.get(3)?),
        });
    }
    Ok(warnings)
}
