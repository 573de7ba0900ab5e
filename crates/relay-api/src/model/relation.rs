//! What a person grants to an agent, as the relay sees it.

use assent_ids::{AgentId, ConversationId, ManifestHash, RelationId, ScopeId, UserId};
use assent_protocol::{
    wire::{Open, Timestamp, never_null},
    words,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Reply, value::Sha256};

/// A relation between a person and an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct Relation {
    /// Which relation.
    pub relation_id: RelationId,
    /// The private conversation of the two.
    pub conversation_id: ConversationId,
    /// The person.
    pub user_id: UserId,
    /// What the person is called.
    pub user_name: String,
    /// The agent.
    pub agent_id: AgentId,
    /// What the agent is called.
    pub agent_name: String,
    /// Whether it is active.
    pub state: Open<RelationState>,
    /// What the person grants; nothing, if the relation has ended.
    pub granted_scopes: Vec<ScopeId>,
    /// The manifest that the grants were given for.
    pub manifest_hash: ManifestHash,
    /// Its version.
    pub manifest_version: u64,
    /// Granted scopes that are denied until the person agrees to the present manifest.
    pub scopes_requiring_reauth: Vec<ScopeId>,
    /// The SHA-256 of the last entry of the ledger: the `prev` of the next one.
    pub ledger_head: Sha256,
    /// Who suspended it, if it is suspended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspended_by: Option<Open<SuspendedBy>>,
    /// Why, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspended_reason: Option<String>,
    /// When it began.
    pub created_at: Timestamp,
    /// When anything about it last changed.
    pub updated_at: Timestamp,
}

/// What a person has just granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RelationGrant {
    /// Which relation.
    pub relation_id: RelationId,
    /// The private conversation of the two.
    pub conversation_id: ConversationId,
    /// What the person grants.
    pub granted_scopes: Vec<ScopeId>,
    /// The manifest that the grants were given for.
    pub manifest_hash: ManifestHash,
    /// Its version.
    pub manifest_version: u64,
}

words! {
    /// Whether a relation is active.
    RelationState {
        /// It is.
        Active = "active",
        /// The owner of the agent or an operator suspended it: nothing is delivered until it is restored.
        Suspended = "suspended",
        /// The person ended it.
        Revoked = "revoked",
    }
}

words! {
    /// Who suspended a relation.
    SuspendedBy {
        /// The owner of the agent, who can restore it.
        Owner = "owner",
        /// An operator; the owner cannot restore it.
        Operator = "operator",
    }
}

impl Reply for Relation {}
impl Reply for RelationGrant {}
