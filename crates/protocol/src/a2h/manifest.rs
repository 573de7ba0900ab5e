//! The capability manifest: which tools an agent may ask a person's device for. The type holds a
//! manifest that was validated; whether one is valid, and what it hashes to, is decided on its JSON.

use assent_ids::{I18nKey, Lax, ScopeId, ToolName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{CapabilityFlags, PermissionScope};
use crate::wire::{Millis, Object, present};

/// The only version of the manifest there is.
pub const MANIFEST_SCHEMA_VERSION: &str = "1.0";

/// What an agent declares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::wire::never_null)]
#[non_exhaustive]
pub struct CapabilityManifest {
    /// `1.0`.
    pub schema_version: String,
    /// The agent's own version, SemVer. It plays no part in deciding what changed.
    pub agent_version: String,
    /// The tools.
    pub tools: Vec<ManifestTool>,
    /// The scopes that the tools need.
    pub permission_scopes: Vec<PermissionScope>,
    /// What else the agent can do.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub capability_flags: Option<CapabilityFlags>,
    /// Fields that this version does not know. They are part of the hash.
    #[serde(flatten)]
    pub extra: Object,
}

impl CapabilityManifest {
    /// A manifest without tools.
    #[must_use]
    pub fn new(agent_version: impl Into<String>) -> Self {
        Self {
            schema_version: MANIFEST_SCHEMA_VERSION.to_owned(),
            agent_version: agent_version.into(),
            tools: Vec::new(),
            permission_scopes: Vec::new(),
            capability_flags: None,
            extra: Object::new(),
        }
    }

    /// The tool of that name.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&ManifestTool> {
        self.tools.iter().find(|tool| tool.name.as_str() == name)
    }

    /// The scope of that id.
    #[must_use]
    pub fn scope(&self, id: &ScopeId) -> Option<&PermissionScope> {
        self.permission_scopes.iter().find(|scope| scope.id == *id)
    }
}

/// A tool that an agent may ask for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::wire::never_null)]
#[non_exhaustive]
pub struct ManifestTool {
    /// The name.
    pub name: ToolName,
    /// The key of its description.
    pub description_i18n_key: Lax<I18nKey>,
    /// The JSON Schema of its arguments.
    pub input_schema: Value,
    /// The scope it needs.
    pub permission_scope: ScopeId,
    /// Its description, for clients that do not know the key.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub description_fallback: Option<String>,
    /// Whether the agent is of no use without it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// How long it may take; ten seconds if the manifest does not say.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Millis>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ManifestTool {
    /// How long a tool may take if the manifest does not say.
    pub const DEFAULT_TIMEOUT: Millis = Millis(10_000);

    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        name: ToolName,
        description_i18n_key: impl Into<Lax<I18nKey>>,
        input_schema: Value,
        permission_scope: ScopeId,
    ) -> Self {
        Self {
            name,
            description_i18n_key: description_i18n_key.into(),
            input_schema,
            permission_scope,
            description_fallback: None,
            required: None,
            timeout_ms: None,
            extra: Object::new(),
        }
    }

    /// How long it may take.
    #[must_use]
    pub fn timeout(&self) -> Millis {
        self.timeout_ms.unwrap_or(Self::DEFAULT_TIMEOUT)
    }
}
