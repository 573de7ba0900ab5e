//! An agent that the person has added, as this device remembers it.

use assent_builtin_tools::TOOLS;
use assent_ids::{AgentId, ConversationId, ManifestHash, RelationId, ScopeId};
use assent_mailbox::{Mailbox, MailboxError};
use assent_protocol::a2h::{CapabilityManifest, ManifestTool, Sensitivity};
use assent_relay_api::ledger::SignedEntry;
use assent_store::{Row, Tx};
use serde::{Deserialize, Serialize};

const UPSERT: &str = "INSERT INTO device_relations (agent_id, conversation_id, relation)
    VALUES ($1, $2, $3) ON CONFLICT (agent_id)
    DO UPDATE SET conversation_id = excluded.conversation_id, relation = excluded.relation";
const FIND: &str = "SELECT agent_id, relation FROM device_relations WHERE agent_id = $1";
const ALL: &str = "SELECT agent_id, relation FROM device_relations
    ORDER BY agent_id /* whole table */";

/// An agent that the person has added. It is the device's own record; what the relay says about the relation does not
/// change what is granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceRelation {
    /// The agent.
    pub agent_id: AgentId,
    /// The name of the agent when it was added.
    pub agent_name: String,
    /// The relation and its conversation, once the relay has stored the grant.
    pub established: Option<Established>,
    /// The scopes that the person has granted.
    pub granted_scopes: Vec<ScopeId>,
    /// The hash of the manifest that the person has agreed to.
    pub manifest_hash: ManifestHash,
    /// The text of that manifest.
    pub manifest: String,
    /// The last entry of the ledger, signed by this device.
    pub ledger_entry: SignedEntry,
}

/// What the relay calls a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Established {
    /// The relation.
    pub relation_id: RelationId,
    /// The conversation of the agent and the person.
    pub conversation_id: ConversationId,
}

/// A tool that an agent has declared.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentTool {
    /// What the manifest says about it.
    pub declared: ManifestTool,
    /// The sensitivity of the scope: the highest of what the manifest and the presets say.
    pub sensitivity: Sensitivity,
    /// Whether the person has granted the scope.
    pub is_granted: bool,
}

impl DeviceRelation {
    /// The tools that the agreed manifest declares.
    ///
    /// # Errors
    /// If the stored manifest is damaged.
    pub fn tools(&self) -> Result<Vec<AgentTool>, MailboxError> {
        let manifest: CapabilityManifest =
            serde_json::from_str(&self.manifest).map_err(|_| MailboxError::Damaged("manifest"))?;
        let tools = manifest.tools.iter().map(|tool| AgentTool {
            sensitivity: sensitivity(&manifest, &tool.permission_scope),
            is_granted: self.granted_scopes.contains(&tool.permission_scope),
            declared: tool.clone(),
        });
        Ok(tools.collect())
    }

    /// What the agent calls a scope, if it says so.
    pub(crate) fn scope_label(&self, scope: &ScopeId) -> Option<String> {
        let manifest: CapabilityManifest = serde_json::from_str(&self.manifest).ok()?;
        manifest.scope(scope)?.label_fallback.clone()
    }

    /// The declared tool with this name.
    ///
    /// # Errors
    /// If the stored manifest is damaged.
    pub fn tool(&self, name: &str) -> Result<Option<AgentTool>, MailboxError> {
        Ok(self.tools()?.into_iter().find(|tool| tool.declared.name.as_str() == name))
    }
}

/// The sensitivity of a scope: the highest of what the manifest and the presets say. An unknown word counts as high.
fn sensitivity(manifest: &CapabilityManifest, scope: &ScopeId) -> Sensitivity {
    let declared = manifest.scope(scope).map(|scope| scope.sensitivity);
    let preset =
        TOOLS.iter().find(|tool| tool.scope == scope.as_str()).map(|tool| tool.sensitivity);
    match (declared, preset) {
        (Some(declared), Some(preset)) => declared.max(preset),
        (Some(sensitivity), None) | (None, Some(sensitivity)) => sensitivity,
        (None, None) => Sensitivity::High,
    }
}

fn place(agent: &str) -> String {
    format!("device_relations/{agent}")
}

pub(crate) async fn put(
    tx: &mut Tx,
    mailbox: &Mailbox,
    relation: &DeviceRelation,
) -> Result<(), MailboxError> {
    let agent = relation.agent_id.to_string();
    let conversation = relation.established.map(|known| known.conversation_id.to_string());
    let json = serde_json::to_vec(relation).map_err(|_| MailboxError::Damaged("relation"))?;
    let sealed = mailbox.encrypt(&place(&agent), &json);
    Ok(tx.execute(UPSERT, &[agent.into(), conversation.into(), sealed.into()]).await?)
}

pub(crate) async fn find(
    tx: &mut Tx,
    mailbox: &Mailbox,
    agent: AgentId,
) -> Result<Option<DeviceRelation>, MailboxError> {
    let row = tx.optional(FIND, &[agent.to_string().into()]).await?;
    row.map(|row| read(mailbox, &row)).transpose()
}

pub(crate) async fn all(
    tx: &mut Tx,
    mailbox: &Mailbox,
) -> Result<Vec<DeviceRelation>, MailboxError> {
    tx.all(ALL, &[]).await?.iter().map(|row| read(mailbox, row)).collect()
}

fn read(mailbox: &Mailbox, row: &Row) -> Result<DeviceRelation, MailboxError> {
    let agent: String = row.get(0)?;
    let json = mailbox.decrypt(&place(&agent), &row.get::<Vec<u8>>(1)?)?;
    serde_json::from_slice(&json).map_err(|_| MailboxError::Damaged("relation"))
}
