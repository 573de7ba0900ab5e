//! What the events of the relay tell.

use assent_ids::{
    AgentId, ClientMessageId, ConversationId, ConversationSeq, ManifestHash, MessageId, RelationId,
    ScopeId, UserId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::{Count, Object, Open, Timestamp, present, words};

/// That a message of the recipient was stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MessageAck {
    /// The id that the sender gave the message.
    pub client_message_id: ClientMessageId,
    /// The id that the server gave the message.
    pub message_id: MessageId,
    /// The conversation.
    pub conversation_id: ConversationId,
    /// The number in the conversation.
    pub conversation_seq: ConversationSeq,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

/// What a relation is like now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::wire::never_null)]
pub struct RelationNotice {
    /// The id of the relation.
    pub relation_id: RelationId,
    /// The person.
    pub user_id: UserId,
    /// The agent.
    pub agent_id: AgentId,
    /// What the person grants.
    pub granted_scopes: Vec<ScopeId>,
    /// The private conversation of the two.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<ConversationId>,
    /// The manifest that the grants were given for.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub manifest_hash: Option<ManifestHash>,
    /// The version.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub manifest_version: Option<Count>,
    /// Why it changed, for people.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

/// That a manifest changed so that the person has to agree again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReauthRequired {
    /// The agent.
    pub agent_id: AgentId,
    /// The version of the new manifest.
    pub new_manifest_version: Count,
    /// The hash.
    pub new_manifest_hash: ManifestHash,
    /// The scopes that are denied until the person agrees.
    pub scopes_requiring_reauth: Vec<ScopeId>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

/// A manifest changed. The agent gets this event for every manifest that is published for it, by its owner or by
/// itself, and for the answer of a person to one, with a `user_id`. People get it for changes that need no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::wire::never_null)]
pub struct CapabilityChanged {
    /// The agent.
    pub agent_id: AgentId,
    /// The version of the manifest.
    pub manifest_version: Count,
    /// The hash.
    pub manifest_hash: ManifestHash,
    /// The person who answered.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub user_id: Option<UserId>,
    /// Whether that person agreed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub accepted: Option<bool>,
    /// What that person grants now.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub granted_scopes: Option<Vec<ScopeId>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

/// That an agent has registered other keys. People with an active relation get this event; nothing should be sealed
/// to the agent until the person has accepted the new keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentKeysChanged {
    /// The agent.
    pub agent_id: AgentId,
    /// When the new keys were registered.
    pub registered_at: Timestamp,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

/// Something the owner of an agent should know, for example that its manifest is large.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::wire::never_null)]
pub struct TelemetryNotice {
    /// The agent.
    pub agent_id: AgentId,
    /// What, for programs.
    pub code: String,
    /// What, for people.
    pub message: String,
    /// Numbers and names that belong to it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub params: Option<Object>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

/// That the session of the recipient has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionInvalidated {
    /// The reason.
    pub reason: Open<InvalidationReason>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

words! {
    /// Why a session ended.
    InvalidationReason {
        /// The person logged out.
        LoggedOut = "logged_out",
        /// A refresh token was used twice, so it may have been stolen.
        TokenReused = "token_reused",
        /// The device was removed.
        DeviceRemoved = "device_removed",
        /// The agent's token was revoked.
        TokenRevoked = "token_revoked",
        /// The agent was deleted.
        AgentDeleted = "agent_deleted",
    }
}
