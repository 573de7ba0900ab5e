//! The additional statements of a tool that runs commands, beyond the published schema.

use assent_protocol::agent_tool::{ExecutionKind, ToolKind};

use super::ToolDefinition;

/// How commands are read, where they start, what they inherit, and what their exit codes mean.
pub(super) const FACTS: [&str; 4] =
    ["command_parsing", "cwd_policy", "env_policy", "exit_code_meaning"];

/// The value in a record for statements that the producer left out.
pub(super) const UNSTATED: &str = "unstated";

/// Returns `true` if the tool runs commands.
pub(super) fn runs_commands(definition: &ToolDefinition) -> bool {
    definition.declaration.tool_kind == ToolKind::ShellCommand
        || definition.execution.execution_kind == ExecutionKind::Shell
}

/// The statements that a tool which runs commands leaves out.
pub(super) fn unstated(definition: &ToolDefinition) -> Vec<&'static str> {
    if !runs_commands(definition) {
        return Vec::new();
    }
    let profile = &definition.execution;
    let is_sandbox_stated = profile.sandboxed.is_some() || profile.sandbox_profile.is_some();
    let typed = [
        ("sandboxed", is_sandbox_stated),
        ("supports_background", profile.supports_background.is_some()),
        ("timeout_ms", profile.timeout_ms.is_some()),
    ];
    let named = FACTS.map(|fact| (fact, profile.extra.contains_key(fact)));
    let all = named.into_iter().chain(typed);
    all.filter(|(_, is_stated)| !is_stated).map(|(fact, _)| fact).collect()
}
