//! `tool_external_mapping`: the native names and ids of a tool or call. They are never replaced, only
//! accompanied, so they are kept as they came: the standard publishes no schema for them.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/interoperability.md>

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Record, RecordKind};
use crate::wire::{Object, Open, words};

/// Native ids. Which there are depends on the source: [`MappingSource::fields`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolExternalMapping {
    /// The protocol they belong to.
    pub source: Open<MappingSource>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolExternalMapping {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(source: impl Into<Open<MappingSource>>) -> Self {
        Self { source: source.into(), extra: Object::new() }
    }
}

impl Record for ToolExternalMapping {
    const KIND: RecordKind = RecordKind::ToolExternalMapping;
}

impl ToolExternalMapping {
    /// A native value by its name.
    #[must_use]
    pub fn native(&self, name: &str) -> Option<&Value> {
        self.extra.get(name)
    }
}

words! {
    /// Where native ids come from.
    MappingSource {
        /// Model Context Protocol.
        Mcp = "mcp",
        /// An OpenAPI document.
        Openapi = "openapi",
        /// Function calling of a model provider.
        FunctionCalling = "function_calling",
        /// Agent2Agent.
        A2a = "a2a",
        /// A command line.
        Cli = "cli",
        /// A browser.
        Browser = "browser",
        /// Tracing.
        Telemetry = "telemetry",
    }
}

impl MappingSource {
    /// The names under which the standard keeps native values of this source.
    #[must_use]
    pub const fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Mcp => &[
                "server_id",
                "mcp_session_id",
                "mcp_protocol_version",
                "method",
                "tool_name",
                "jsonrpc_request_id",
                "structuredContent",
                "isError",
                "_meta",
            ],
            Self::Openapi => {
                &["operation_id", "method", "path", "server_url", "security_scheme_refs"]
            }
            Self::FunctionCalling => &[
                "tool_call_id",
                "function_name",
                "tool_choice",
                "parallel_tool_calls",
                "strict",
                "defer_loading",
            ],
            Self::A2a => &[
                "agent_card_url",
                "agent_skill_id",
                "task_id",
                "context_id",
                "message_id",
                "artifact_id",
            ],
            Self::Cli => &[
                "command_id",
                "argv_ref",
                "cwd_ref",
                "env_policy_ref",
                "exit_code",
                "signal",
                "sandbox_ref",
            ],
            Self::Browser => {
                &["browser_session_id", "page_id", "action_id", "observation_ref", "screenshot_ref"]
            }
            Self::Telemetry => &[
                "trace_id",
                "span_id",
                "tool_name",
                "tool_call_id",
                "request_id",
                "duration_ms",
                "result_size_bytes",
            ],
        }
    }
}
