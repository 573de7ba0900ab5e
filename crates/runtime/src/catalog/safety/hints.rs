//! Annotations such as MCP's `readOnlyHint`. Every hint may raise the risk; those of a trusted producer may also
//! lower it where the interface states nothing.

use assent_protocol::{
    agent_tool::{AccessKind, ExecutionKind, ToolKind},
    wire::Object,
};
use serde_json::Value;

use crate::catalog::ToolDefinition;

/// The effects of hints on the facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hints {
    /// A hint says that it changes something.
    pub(super) is_writing: bool,
    /// A hint says that it may destroy something.
    pub(super) is_destructive: bool,
    /// A hint says that it reaches out.
    pub(super) is_open_world: bool,
    pub(super) trusted_read_only: Option<bool>,
    pub(super) trusted_destructive: Option<bool>,
    pub(super) trusted_open_world: Option<bool>,
}

impl Hints {
    pub(super) fn of(definition: &ToolDefinition) -> Self {
        let hint = |name| {
            let annotations = definition.declaration.annotations.as_ref();
            annotations.and_then(|annotations| hinted(annotations, name))
        };
        let (read_only, destructive, open_world) =
            (hint("readOnlyHint"), hint("destructiveHint"), hint("openWorldHint"));
        let trusted = |hint: Option<bool>| hint.filter(|_| definition.trusted);
        Self {
            is_writing: read_only == Some(false),
            // For a tool that changes nothing the hint has no meaning.
            is_destructive: destructive == Some(true) && read_only != Some(true),
            is_open_world: open_world == Some(true),
            trusted_read_only: trusted(read_only),
            trusted_destructive: trusted(destructive),
            trusted_open_world: trusted(open_world.or_else(|| Some(reaches_out(definition)))),
        }
    }
}

fn hinted(annotations: &Object, name: &str) -> Option<bool> {
    annotations.get(name).and_then(Value::as_bool)
}

/// Returns `true` if a tool uses the network, a browser or a shell, and its profile does not list the hosts.
fn reaches_out(definition: &ToolDefinition) -> bool {
    let kind = matches!(
        definition.declaration.tool_kind.known(),
        Some(
            ToolKind::McpTool
                | ToolKind::OpenapiOperation
                | ToolKind::BrowserAction
                | ToolKind::ShellCommand
                | ToolKind::CodeExecution
                | ToolKind::WebSearch
                | ToolKind::PeerAgentTool
        ) | None
    );
    let execution = matches!(
        definition.execution.execution_kind.known(),
        Some(
            ExecutionKind::McpServer
                | ExecutionKind::HttpApi
                | ExecutionKind::Shell
                | ExecutionKind::Browser
                | ExecutionKind::PeerAgent
                | ExecutionKind::Hybrid
        ) | None
    );
    let profile = &definition.permission;
    let access = profile.access_kinds.iter().flatten().any(|kind| {
        matches!(
            kind.known(),
            Some(
                AccessKind::Network
                    | AccessKind::Browser
                    | AccessKind::ExternalSend
                    | AccessKind::CodeExecution
            ) | None
        )
    });
    let scope = profile.network_scope.as_deref().map(str::trim);
    let is_scoped = scope.is_some_and(|scope| !matches!(scope, "" | "*" | "any" | "unrestricted"));
    (kind || execution || access) && !is_scoped
}
