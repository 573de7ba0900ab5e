//! The kinds of records, and what all of them are.

use serde::{Serialize, de::DeserializeOwned};

use super::strict::Strict;
use crate::wire::words;

/// The version of the standard that our records follow.
pub const SCHEMA_VERSION: &str = "0.2.0";

/// A record of the standard: it can be read, written and measured.
pub trait Record: Serialize + DeserializeOwned + Strict {
    /// Which one.
    const KIND: RecordKind;
}

words! {
    /// The records of the standard: its 19 core objects, input mutations and search results.
    RecordKind {
        /// A tool.
        ToolDeclaration = "tool_declaration",
        /// Its runtime contract.
        ToolInterface = "tool_interface",
        /// The tools on offer in one context.
        ToolSurface = "tool_surface",
        /// A group of tools.
        ToolNamespace = "tool_namespace",
        /// What a tool takes.
        ToolInputContract = "tool_input_contract",
        /// What a tool gives.
        ToolOutputContract = "tool_output_contract",
        /// How a tool is executed.
        ToolExecutionProfile = "tool_execution_profile",
        /// What a tool touches.
        ToolPermissionProfile = "tool_permission_profile",
        /// The outcome of a permission check.
        ToolPermissionDecision = "tool_permission_decision",
        /// A hook or a run of one.
        ToolHook = "tool_hook",
        /// A change of an input.
        ToolInputMutation = "tool_input_mutation",
        /// A call.
        ToolInvocation = "tool_invocation",
        /// How the calls of a batch are scheduled.
        ToolSchedulerPolicy = "tool_scheduler_policy",
        /// A tool without its schema.
        DeferredToolRef = "deferred_tool_ref",
        /// The answer to a search.
        ToolSearchResult = "tool_search_result",
        /// A progress report.
        ToolProgress = "tool_progress",
        /// What came of a call.
        ToolResult = "tool_result",
        /// How a result was stored.
        ToolResultPersistence = "tool_result_persistence",
        /// Why a call failed.
        ToolError = "tool_error",
        /// Something that happened.
        ToolEvent = "tool_event",
        /// Native names and ids.
        ToolExternalMapping = "tool_external_mapping",
    }
}

impl RecordKind {
    /// The published schema of the record, as it is named in `agenttool-<name>.schema.json`.
    #[must_use]
    pub const fn published_schema(self) -> Option<&'static str> {
        match self {
            Self::ToolDeclaration => Some("tool-declaration"),
            Self::ToolInterface => Some("tool-interface"),
            Self::ToolSurface => Some("tool-surface"),
            Self::ToolExecutionProfile => Some("execution-profile"),
            Self::ToolPermissionProfile => Some("permission-profile"),
            Self::ToolPermissionDecision => Some("permission-decision"),
            Self::ToolHook => Some("hook"),
            Self::ToolInputMutation => Some("input-mutation"),
            Self::ToolInvocation => Some("invocation"),
            Self::ToolSchedulerPolicy => Some("scheduler-policy"),
            Self::DeferredToolRef => Some("deferred-tool"),
            Self::ToolProgress => Some("progress"),
            Self::ToolResult => Some("result"),
            Self::ToolResultPersistence => Some("result-persistence"),
            Self::ToolEvent => Some("event"),
            Self::ToolNamespace
            | Self::ToolInputContract
            | Self::ToolOutputContract
            | Self::ToolSearchResult
            | Self::ToolError
            | Self::ToolExternalMapping => None,
        }
    }

    /// Whether the record names the version it follows. The others stand inside one that does.
    #[must_use]
    pub const fn is_versioned(self) -> bool {
        !matches!(
            self,
            Self::ToolInputContract
                | Self::ToolOutputContract
                | Self::ToolError
                | Self::ToolExternalMapping
        )
    }
}
