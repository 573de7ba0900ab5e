//! An agent that the person has added, as this device remembers it.

use assent_ids::{AgentId, ConversationId, ManifestHash, RelationId, ScopeId};
use assent_json::Digest;
use assent_mailbox::{Mailbox, MailboxError};
use assent_relay_api::ledger::{LedgerAction, SignedEntry};
use assent_store::{Row, Tx};
use serde::{Deserialize, Serialize};

use crate::{
    agent_manifest::{AgentManifest, AgentTool},
    keys::ChangedKeys,
    reviews::{RejectedManifest, Review},
};

const UPSERT: &str = "INSERT INTO device_relations (agent_id, conversation_id, relation)
    VALUES ($1, $2, $3) ON CONFLICT (agent_id)
    DO UPDATE SET conversation_id = excluded.conversation_id, relation = excluded.relation";
const FIND: &str = "SELECT agent_id, relation FROM device_relations WHERE agent_id = $1";
const REMOVE: &str = "DELETE FROM device_relations WHERE agent_id = $1";
const ALL: &str = "SELECT agent_id, relation FROM device_relations
    ORDER BY agent_id /* whole table */";

/// An agent that the person has added. It is the device's own record; what the relay says about the relation does not
/// change what is granted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceRelation {
    /// The agent.
    pub agent_id: AgentId,
    /// The name of the agent when it was last seen.
    pub agent_name: String,
    /// The name of its owner.
    pub owner_name: String,
    /// The relation and its conversation, once the relay has stored the first grant.
    pub established: Option<Established>,
    /// Whether calls of the agent are answered.
    pub state: RelationStanding,
    /// The scopes that the person has granted.
    pub granted_scopes: Vec<ScopeId>,
    /// Scopes that were granted once and are not any more.
    pub revoked_scopes: Vec<ScopeId>,
    /// The manifest that the person has agreed to.
    pub agreed: AgentManifest,
    /// A later manifest that needed no new agreement. Calls are checked against it.
    pub adopted: Option<AgentManifest>,
    /// The latest manifest that was seen.
    pub latest: SeenManifest,
    /// A later manifest that the person has not agreed to.
    pub review: Option<Review>,
    /// What the relay gave as a manifest and is not one.
    pub rejected: Option<RejectedManifest>,
    /// Other keys than the pinned ones that the relay gave.
    pub changed_keys: Option<ChangedKeys>,
    /// Whether the keys were compared with those that the agent's owner shows.
    pub is_verified: bool,
    /// What the person has signed, the oldest first. The relay has stored all of it.
    pub ledger: Vec<SignedEntry>,
    /// What the person has signed and the relay has not stored yet.
    pub unsent: Option<UnsentEntry>,
}

/// What the relay calls a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Established {
    /// The relation.
    pub relation_id: RelationId,
    /// The conversation of the agent and the person.
    pub conversation_id: ConversationId,
}

/// Whether calls of an agent are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RelationStanding {
    /// The grant is signed; the relay has not stored it yet.
    New,
    /// They are answered.
    Active,
    /// The owner of the agent or the operator of the relay suspended the relation.
    Suspended,
    /// The person has ended the relation.
    Revoked,
    /// The relay has ended the relation, for example because the agent was deleted.
    Ended,
}

/// A version of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenManifest {
    /// The version.
    pub version: u64,
    /// The hash.
    pub hash: ManifestHash,
}

/// A signed entry that the relay has not stored yet, and the manifest that it agrees to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnsentEntry {
    /// The entry.
    pub entry: SignedEntry,
    /// The manifest.
    pub manifest: AgentManifest,
}

/// What is left to do so that the ledger says what the device does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LedgerStep {
    /// A signed entry has to be sent.
    Send(Box<UnsentEntry>),
    /// An entry with this action has to be signed.
    Sign(LedgerAction),
    /// Nothing.
    Done,
}

impl DeviceRelation {
    /// The manifest that calls are checked against.
    #[must_use]
    pub fn manifest(&self) -> &AgentManifest {
        self.adopted.as_ref().unwrap_or(&self.agreed)
    }

    /// The tools that the manifest declares.
    ///
    /// # Errors
    /// If the stored manifest is damaged.
    pub fn tools(&self) -> Result<Vec<AgentTool>, MailboxError> {
        let agreed = self.agreed.read()?;
        let present = self.manifest().read()?;
        let tools = present.tools.iter().map(|tool| {
            let scope = &tool.permission_scope;
            AgentTool {
                sensitivity: present.sensitivity(scope).max(agreed.sensitivity(scope)),
                access: self.access(scope),
                declared: tool.clone(),
            }
        });
        Ok(tools.collect())
    }

    /// What the agent calls a scope, if it says so.
    pub(crate) fn scope_label(&self, scope: &ScopeId) -> Option<String> {
        self.manifest().read().ok()?.scope(scope)?.label_fallback.clone()
    }

    /// The declared tool with this name.
    ///
    /// # Errors
    /// If the stored manifest is damaged.
    pub fn tool(&self, name: &str) -> Result<Option<AgentTool>, MailboxError> {
        Ok(self.tools()?.into_iter().find(|tool| tool.declared.name.as_str() == name))
    }

    /// Whether calls that need this scope may run.
    #[must_use]
    pub fn access(&self, scope: &ScopeId) -> ScopeAccess {
        if !self.granted_scopes.contains(scope) {
            if self.revoked_scopes.contains(scope) {
                return ScopeAccess::Revoked;
            }
            return ScopeAccess::NotGranted;
        }
        match &self.review {
            Some(review) if review.pauses(scope) => ScopeAccess::Paused,
            _ => ScopeAccess::Granted,
        }
    }

    /// Whether the person or the relay has ended the relation.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self.state, RelationStanding::Revoked | RelationStanding::Ended)
    }

    /// The hash of the last entry that the relay has stored.
    pub(crate) fn ledger_head(&self) -> Result<Option<Digest>, MailboxError> {
        let last = self.ledger.last().map(|signed| signed.entry.digest());
        last.transpose().map_err(|_| MailboxError::Damaged("ledger"))
    }

    /// What is left to do so that the ledger says what the device does.
    pub(crate) fn ledger_step(&self) -> LedgerStep {
        if let Some(unsent) = &self.unsent {
            return LedgerStep::Send(Box::new(unsent.clone()));
        }
        let Some(last) = self.ledger.last().map(|signed| &signed.entry) else {
            return LedgerStep::Done;
        };
        match (self.state, last.action) {
            (_, LedgerAction::Revoke) | (RelationStanding::Ended, _) => LedgerStep::Done,
            (RelationStanding::Revoked, _) => LedgerStep::Sign(LedgerAction::Revoke),
            // A suspended relation takes no changes. They follow when it is restored.
            (RelationStanding::Suspended, _) => LedgerStep::Done,
            _ if last.granted_scopes.iter().any(|scope| !self.granted_scopes.contains(scope)) => {
                LedgerStep::Sign(LedgerAction::Update)
            }
            _ => LedgerStep::Done,
        }
    }

    /// Takes scopes back, at once, also those of a grant that is on its way. Returns those that were granted.
    pub(crate) fn take_back(&mut self, keeps: impl Fn(&ScopeId) -> bool) -> Vec<ScopeId> {
        let unsent = self.unsent.iter().flat_map(|unsent| &unsent.entry.entry.granted_scopes);
        let unsent: Vec<ScopeId> = unsent.filter(|scope| !keeps(scope)).cloned().collect();
        let (kept, taken): (Vec<ScopeId>, Vec<ScopeId>) =
            self.granted_scopes.drain(..).partition(|scope| keeps(scope));
        self.granted_scopes = kept;
        for scope in taken.iter().chain(&unsent) {
            if !self.revoked_scopes.contains(scope) {
                self.revoked_scopes.push(scope.clone());
            }
        }
        taken
    }

    /// Records that the relay has stored the unsent entry. Returns `true` if another manifest is agreed to than before.
    pub(crate) fn settle(&mut self) -> bool {
        let Some(UnsentEntry { entry: signed, manifest }) = self.unsent.take() else {
            return false;
        };
        let entry = &signed.entry;
        let is_other_manifest = manifest != *self.manifest();
        if entry.action != LedgerAction::Revoke {
            let is_kept = |scope: &&ScopeId| !self.revoked_scopes.contains(scope);
            // What was taken back while the entry was on its way stays taken back.
            self.granted_scopes = match self.state {
                RelationStanding::Revoked | RelationStanding::Ended => Vec::new(),
                _ => entry.granted_scopes.iter().filter(is_kept).cloned().collect(),
            };
            if self.state == RelationStanding::New {
                self.state = RelationStanding::Active;
            }
            self.agree(manifest);
        }
        self.ledger.push(signed);
        is_other_manifest
    }

    fn agree(&mut self, manifest: AgentManifest) {
        if self.review.as_ref().is_some_and(|review| review.version <= manifest.version) {
            self.review = None;
        }
        if self.adopted.as_ref().is_some_and(|adopted| adopted.version <= manifest.version) {
            self.adopted = None;
        }
        if self.latest.version < manifest.version {
            self.latest = manifest.seen();
        }
        self.agreed = manifest;
    }
}

/// Whether calls that need a scope may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeAccess {
    /// They may.
    Granted,
    /// The person was never asked for the scope, or did not grant it.
    NotGranted,
    /// The person has granted the scope once and taken it back.
    Revoked,
    /// The person has not agreed to the present manifest yet.
    Paused,
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

pub(crate) async fn remove(tx: &mut Tx, agent: AgentId) -> Result<(), MailboxError> {
    Ok(tx.execute(REMOVE, &[agent.to_string().into()]).await?)
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
