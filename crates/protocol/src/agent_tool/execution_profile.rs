//! `tool_execution_profile`: how a tool is executed and what its executor can do.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/execution-profile.md>

use std::borrow::Cow;

use assent_ids::{ExecutionProfileId, Lax};
use serde::{Deserialize, Serialize};

use super::{Record, RecordKind, SCHEMA_VERSION, ToolExternalMapping};
use crate::wire::{Loose, Millis, Object, Open, present, words};

/// What an executor supports; what is not stated is not known, so our own profiles state all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolExecutionProfile {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// The id of the profile.
    pub execution_profile_id: Lax<ExecutionProfileId>,
    /// What executes.
    pub execution_kind: Open<ExecutionKind>,
    /// Whether it reports progress.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub supports_progress: Option<bool>,
    /// Whether it can be canceled. No button in a user interface says so, only this.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub supports_cancel: Option<bool>,
    /// Whether a call survives a restart.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub supports_resume: Option<bool>,
    /// Whether a call may be repeated.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub supports_retries: Option<bool>,
    /// Whether it gives parts of the result early.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub supports_partial_results: Option<bool>,
    /// Whether it can go on in the background.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub supports_background: Option<bool>,
    /// Whether it makes artifacts.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub supports_artifacts: Option<bool>,
    /// Whether it can change the context of the conversation.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub supports_context_modifiers: Option<bool>,
    /// Whether it runs in a sandbox.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub sandboxed: Option<bool>,
    /// Which sandbox.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub sandbox_profile: Option<String>,
    /// How long a call may take.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Millis>,
    /// Its native names and ids, unchanged.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub external_mappings: Option<Vec<Loose<ToolExternalMapping>>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolExecutionProfile {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        execution_profile_id: impl Into<Lax<ExecutionProfileId>>,
        execution_kind: impl Into<Open<ExecutionKind>>,
    ) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            execution_profile_id: execution_profile_id.into(),
            execution_kind: execution_kind.into(),
            supports_progress: None,
            supports_cancel: None,
            supports_resume: None,
            supports_retries: None,
            supports_partial_results: None,
            supports_background: None,
            supports_artifacts: None,
            supports_context_modifiers: None,
            sandboxed: None,
            sandbox_profile: None,
            timeout_ms: None,
            external_mappings: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolExecutionProfile {
    const KIND: RecordKind = RecordKind::ToolExecutionProfile;
}

words! {
    /// What executes.
    ExecutionKind {
        /// An MCP server.
        McpServer = "mcp_server",
        /// An HTTP interface.
        HttpApi = "http_api",
        /// An application on the machine.
        NativeApp = "native_app",
        /// A process on the machine.
        LocalProcess = "local_process",
        /// A shell.
        Shell = "shell",
        /// A browser.
        Browser = "browser",
        /// A model.
        ModelService = "model_service",
        /// Another agent.
        PeerAgent = "peer_agent",
        /// The runtime itself.
        EmbeddedRuntime = "embedded_runtime",
        /// Several of these.
        Hybrid = "hybrid",
    }
}
