//! Agents, as the tables hold them.

use assent_ids::{AgentId, ManifestHash, UserId};
use assent_protocol::wire::Open;
use assent_relay_api::model::{
    Agent, AgentState, ConnectionMode, ManifestFinding, ManifestText, WebhookState,
};
use assent_store::{Row, StoreError, Tx};

use crate::storage::{
    columns::{self, json},
    stored_id::stored as id,
    times::timestamp,
};

const FIND: &str = "SELECT a.agent_id, a.owner_id, u.display_name, a.name, a.description,
        a.connection_mode, a.webhook_url, a.health_check_url, a.capability_manifest_version,
        a.capability_manifest_hash, m.canonical, m.warnings, a.created_at, a.updated_at,
        a.suspended_at, a.unreachable_since
    FROM agents a JOIN users u ON u.user_id = a.owner_id
    LEFT JOIN agent_manifests m
        ON m.agent_id = a.agent_id AND m.version = a.capability_manifest_version
    WHERE a.agent_id = $1 AND a.deleted_at IS NULL";

/// An agent with its present manifest.
#[derive(Clone, Debug)]
pub(crate) struct AgentRow {
    pub(crate) agent_id: AgentId,
    pub(crate) owner: UserId,
    owner_name: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) connection_mode: Open<ConnectionMode>,
    pub(crate) webhook_url: Option<String>,
    pub(crate) health_check_url: Option<String>,
    /// 0 if it declares nothing.
    pub(crate) version: u64,
    pub(crate) hash: Option<ManifestHash>,
    /// The manifest, in the bytes that were hashed.
    pub(crate) canonical: Option<String>,
    pub(crate) warnings: Vec<ManifestFinding>,
    created_at: i64,
    updated_at: i64,
    suspended: bool,
    pub(crate) unreachable: bool,
}

/// An agent that was not deleted.
pub(crate) async fn find(tx: &mut Tx, agent: AgentId) -> Result<Option<AgentRow>, StoreError> {
    let row = tx.optional(FIND, &[agent.to_string().into()]).await?;
    row.as_ref().map(AgentRow::read).transpose()
}

impl AgentRow {
    fn read(row: &Row) -> Result<Self, StoreError> {
        let warnings = row.get::<Option<String>>(11)?.map(|text| json(&text)).transpose()?;
        Ok(Self {
            agent_id: id(&row.get::<String>(0)?)?,
            owner: id(&row.get::<String>(1)?)?,
            owner_name: row.get(2)?,
            name: row.get(3)?,
            description: row.get(4)?,
            connection_mode: Open::read(&row.get::<String>(5)?),
            webhook_url: row.get(6)?,
            health_check_url: row.get(7)?,
            version: row.get(8)?,
            hash: row.get::<Option<String>>(9)?.map(|text| id(&text)).transpose()?,
            canonical: row.get(10)?,
            warnings: warnings.unwrap_or_default(),
            created_at: row.get(12)?,
            updated_at: row.get(13)?,
            suspended: row.get::<Option<i64>>(14)?.is_some(),
            unreachable: row.get::<Option<i64>>(15)?.is_some(),
        })
    }

    /// The agent as `reader` sees it: some of it is for the owner alone.
    pub(crate) fn seen_by(self, reader: Option<UserId>) -> Result<Agent, StoreError> {
        let is_owner = reader == Some(self.owner);
        let is_called = self.connection_mode == ConnectionMode::Webhook;
        let webhook = match self.unreachable {
            true => WebhookState::Unreachable,
            false => WebhookState::Reachable,
        };
        let state = if self.suspended { AgentState::Suspended } else { AgentState::Active };
        Ok(Agent {
            agent_id: self.agent_id,
            name: self.name,
            description: self.description,
            owner_name: self.owner_name,
            connection_mode: self.connection_mode,
            state: state.into(),
            capability_manifest: manifest(self.canonical.as_deref())?,
            capability_manifest_version: self.version,
            capability_manifest_hash: self.hash,
            created_at: timestamp(self.created_at),
            updated_at: timestamp(self.updated_at),
            webhook_url: self.webhook_url.filter(|_| is_owner),
            health_check_url: self.health_check_url.filter(|_| is_owner),
            webhook_state: (is_owner && is_called).then(|| webhook.into()),
            warnings: is_owner.then_some(self.warnings),
        })
    }
}

/// The manifest of canonical bytes, from which any reader can compute its hash again.
fn manifest(canonical: Option<&str>) -> Result<Option<serde_json::Value>, StoreError> {
    let manifest = canonical.map(columns::json::<ManifestText>).transpose()?;
    Ok(manifest.map(|ManifestText(members)| members.into()))
}
