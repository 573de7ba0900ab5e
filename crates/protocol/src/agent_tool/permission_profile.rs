//! `tool_permission_profile`: what a tool touches. A profile is no permission.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/permission-profile.md>

use std::borrow::Cow;

use assent_ids::{Lax, PermissionProfileId};
use serde::{Deserialize, Serialize};

use super::{Record, RecordKind, SCHEMA_VERSION};
use crate::wire::{Object, Open, present, words};

/// Risk, access, effects and needs of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolPermissionProfile {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// The id of the profile.
    pub permission_profile_id: Lax<PermissionProfileId>,
    /// The risk level.
    pub risk_level: RiskLevel,
    /// What it reaches.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub access_kinds: Option<Vec<Open<AccessKind>>>,
    /// What it changes.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub write_effects: Option<Vec<Open<WriteEffect>>>,
    /// Which hosts it talks to.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub network_scope: Option<String>,
    /// Which tenants it touches.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub tenant_scope: Option<String>,
    /// The credentials it uses, by reference.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub credential_refs: Option<Vec<String>>,
    /// The sandbox it runs in.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub sandbox_profile: Option<String>,
    /// Whether a person is always asked.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub approval_required: Option<bool>,
    /// Why a person is asked.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub approval_reason: Option<String>,
    /// Where a person is asked.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub permission_channel: Option<String>,
    /// The input fields that rules look at.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rule_matching_fields: Option<Vec<String>>,
    /// How sensitive its data is.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub data_sensitivity: Option<String>,
    /// How long its data may be kept.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub retention_hint: Option<String>,
    /// Whether results are redacted before storage.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub redaction_required: Option<bool>,
    /// The policies that speak of it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub policy_refs: Option<Vec<String>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolPermissionProfile {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        permission_profile_id: impl Into<Lax<PermissionProfileId>>,
        risk_level: RiskLevel,
    ) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            permission_profile_id: permission_profile_id.into(),
            risk_level,
            access_kinds: None,
            write_effects: None,
            network_scope: None,
            tenant_scope: None,
            credential_refs: None,
            sandbox_profile: None,
            approval_required: None,
            approval_reason: None,
            permission_channel: None,
            rule_matching_fields: None,
            data_sensitivity: None,
            retention_hint: None,
            redaction_required: None,
            policy_refs: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolPermissionProfile {
    const KIND: RecordKind = RecordKind::ToolPermissionProfile;
}

words! {
    /// The risk level; later ones are higher.
    RiskLevel {
        /// Low risk.
        Low = "low",
        /// Medium risk.
        Medium = "medium",
        /// High risk.
        High = "high",
        /// Critical risk.
        Critical = "critical",
    }
}

words! {
    /// What a tool reaches.
    AccessKind {
        /// Reads files.
        FileRead = "file_read",
        /// Writes files.
        FileWrite = "file_write",
        /// Uses the network.
        Network = "network",
        /// Uses a browser.
        Browser = "browser",
        /// Uses a credential.
        Credential = "credential",
        /// Spends money.
        Payment = "payment",
        /// Sends something to others.
        ExternalSend = "external_send",
        /// Runs code.
        CodeExecution = "code_execution",
    }
}

words! {
    /// What a tool changes.
    WriteEffect {
        /// Nothing.
        None = "none",
        /// A draft on this machine.
        LocalDraft = "local_draft",
        /// Something that stays on this machine.
        LocalPersistent = "local_persistent",
        /// Something elsewhere.
        RemoteMutation = "remote_mutation",
        /// Something that cannot be undone.
        Irreversible = "irreversible",
    }
}
