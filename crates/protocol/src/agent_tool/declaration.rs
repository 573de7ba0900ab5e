//! `tool_declaration`: the stable description of one callable capability.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/tool-declaration.md>

use std::borrow::Cow;

use assent_ids::{
    CallableName, ExecutionProfileId, InterfaceId, Lax, Namespace, PermissionProfileId, ToolId,
};
use serde::{Deserialize, Serialize};

use super::{
    Record, RecordKind, SCHEMA_VERSION, ToolExternalMapping, ToolInputContract, ToolOutputContract,
};
use crate::wire::{Loose, Object, Open, present, words};

/// The declaration of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolDeclaration {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// Stable for its producer; a rename changes the names, not this.
    pub tool_id: Lax<ToolId>,
    /// The boundary within which names are unique.
    pub namespace: Lax<Namespace>,
    /// The name a model calls it by.
    pub name: Lax<CallableName>,
    /// When to use it, written for the model.
    pub description: String,
    /// Whether it can be offered and called.
    pub lifecycle: ToolLifecycle,
    /// What kind of thing executes it.
    pub tool_kind: Open<ToolKind>,
    /// Older names that still resolve to it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub aliases: Option<Vec<Lax<CallableName>>>,
    /// Three to ten words that say what it can do.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub search_hint: Option<String>,
    /// A name for people.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The capabilities it has, not the products it is part of.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub capability_refs: Option<Vec<String>>,
    /// What it takes.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub input_contract: Option<Loose<ToolInputContract>>,
    /// What it gives.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub output_contract: Option<Loose<ToolOutputContract>>,
    /// Its runtime contract.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub interface_ref: Option<Lax<InterfaceId>>,
    /// How it is executed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub execution_profile_ref: Option<Lax<ExecutionProfileId>>,
    /// What it touches.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub permission_profile_ref: Option<Lax<PermissionProfileId>>,
    /// Its native names and ids, unchanged.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub external_mappings: Option<Vec<Loose<ToolExternalMapping>>>,
    /// Hints. They are ignored unless the producer is trusted.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Object>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolDeclaration {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        tool_id: impl Into<Lax<ToolId>>,
        namespace: impl Into<Lax<Namespace>>,
        name: impl Into<Lax<CallableName>>,
        description: impl Into<String>,
        lifecycle: ToolLifecycle,
        tool_kind: impl Into<Open<ToolKind>>,
    ) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            tool_id: tool_id.into(),
            namespace: namespace.into(),
            name: name.into(),
            description: description.into(),
            lifecycle,
            tool_kind: tool_kind.into(),
            aliases: None,
            search_hint: None,
            title: None,
            capability_refs: None,
            input_contract: None,
            output_contract: None,
            interface_ref: None,
            execution_profile_ref: None,
            permission_profile_ref: None,
            external_mappings: None,
            annotations: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolDeclaration {
    const KIND: RecordKind = RecordKind::ToolDeclaration;
}

words! {
    /// Whether a tool can be offered and called.
    ToolLifecycle {
        /// Being designed.
        Draft = "draft",
        /// Can be selected and called.
        Available = "available",
        /// Exists, but not here and now.
        Disabled = "disabled",
        /// Needs credentials, a binding or a server first.
        RequiresSetup = "requires_setup",
        /// Can be found, but its schema has to be loaded first.
        Deferred = "deferred",
        /// Still callable, no longer offered.
        Deprecated = "deprecated",
        /// The id is kept for history only.
        Retired = "retired",
    }
}

words! {
    /// What kind of thing executes a tool.
    ToolKind {
        /// A function of a model provider's interface.
        Function = "function",
        /// A tool of an MCP server.
        McpTool = "mcp_tool",
        /// An operation of an OpenAPI document.
        OpenapiOperation = "openapi_operation",
        /// Built into the host.
        NativeTool = "native_tool",
        /// A step in a browser.
        BrowserAction = "browser_action",
        /// A shell command.
        ShellCommand = "shell_command",
        /// Runs code it is given.
        CodeExecution = "code_execution",
        /// Reads or writes files.
        FileOperation = "file_operation",
        /// Searches the web.
        WebSearch = "web_search",
        /// Fetches from a knowledge store.
        Retrieval = "retrieval",
        /// A task for another model.
        ModelTask = "model_task",
        /// Comes with an activated skill.
        SkillTool = "skill_tool",
        /// Another agent.
        PeerAgentTool = "peer_agent_tool",
        /// Asks a policy engine.
        PolicyCheck = "policy_check",
        /// Works on an artifact.
        ArtifactOperation = "artifact_operation",
        /// Exports evidence.
        EvidenceExport = "evidence_export",
        /// None of the others; a fallback, not a default.
        Custom = "custom",
    }
}
