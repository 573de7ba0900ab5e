//! Whether a caller may use a tool. The first reason against it counts. Reasons that hide a tool are checked
//! before those that block it, so that a reason never reveals a hidden tool.

use assent_protocol::{
    agent_tool::{ExclusionReason, ExecutionKind, SchemaVisibility, ToolKind, ToolLifecycle},
    wire::Open,
};

use super::{
    context::{Block, SurfaceContext},
    standing::{Bar, Standing},
};
use crate::catalog::{ProviderState, Providers, Tool};

/// The outcome of screening a tool.
pub(super) enum Screened {
    /// It has this standing, independent of the budget.
    Settled(Standing),
    /// It can be loaded within the budget.
    Loadable {
        /// Whether it asks to be loaded first.
        first: bool,
    },
}

pub(super) fn screen(
    tool: &Tool,
    context: &SurfaceContext,
    providers: &Providers,
    block: Option<&Block>,
) -> Screened {
    let bar = hidden(tool, context)
        .or_else(|| block.map(blocked_by_host))
        .or_else(|| blocked(tool, context, providers));
    if let Some(bar) = bar {
        return Screened::Settled(Standing::Barred(Box::new(bar)));
    }
    if is_pending(tool, providers) {
        return Screened::Settled(Standing::Pending);
    }
    if tool.definition.declaration.lifecycle == ToolLifecycle::Deprecated {
        return Screened::Settled(Standing::Unlisted);
    }
    if wants_deferral(tool) {
        return Screened::Settled(Standing::Deferred);
    }
    Screened::Loadable { first: tool.needs.always_load }
}

/// The reasons that hide a tool.
fn hidden(tool: &Tool, context: &SurfaceContext) -> Option<Bar> {
    let interface = &tool.definition.interface;
    let bar = |reason, detail| Some(Bar::hides(reason, detail));
    match tool.definition.declaration.lifecycle {
        ToolLifecycle::Draft => return bar(word("draft"), "it is still a draft"),
        ToolLifecycle::Retired => return bar(word("retired"), "it was retired"),
        ToolLifecycle::Available
        | ToolLifecycle::Disabled
        | ToolLifecycle::RequiresSetup
        | ToolLifecycle::Deferred
        | ToolLifecycle::Deprecated => {}
    }
    if interface.schema_visibility == Some(SchemaVisibility::Internal) {
        return bar(word("internal"), "it is for the runtime only");
    }
    if context.role.as_ref().is_some_and(|role| !role.allows(tool)) {
        return bar(ExclusionReason::RoleNotAllowed.into(), "the role may not use it");
    }
    if let Some(feature) = tool.needs.features.iter().find(|name| !context.features.contains(*name))
    {
        let detail = format!("the feature `{feature}` is switched off");
        return Some(Bar::hides(ExclusionReason::FeatureDisabled.into(), detail));
    }
    if uses(tool, ToolKind::BrowserAction, ExecutionKind::Browser) && !context.browser_session {
        return bar(word("browser_session_missing"), "there is no browser to act in");
    }
    sandbox(tool, context).or_else(|| model(tool, context))
}

/// Checks that commands are allowed and that the required sandbox exists.
fn sandbox(tool: &Tool, context: &SurfaceContext) -> Option<Bar> {
    let runs_commands = uses(tool, ToolKind::ShellCommand, ExecutionKind::Shell)
        || tool.definition.declaration.tool_kind == ToolKind::CodeExecution;
    if runs_commands && !context.shell {
        return Some(Bar::hides(word("sandbox_forbidden"), "no commands are run here"));
    }
    let (execution, permission) = (&tool.definition.execution, &tool.definition.permission);
    let wanted = execution.sandbox_profile.iter().chain(&permission.sandbox_profile);
    let missing = wanted.into_iter().find(|name| !context.sandboxes.contains(*name))?;
    let detail = format!("there is no sandbox `{missing}` here");
    Some(Bar::hides(word("sandbox_missing"), detail))
}

fn model(tool: &Tool, context: &SurfaceContext) -> Option<Bar> {
    let unsupported =
        |detail: String| Some(Bar::hides(ExclusionReason::ModelUnsupported.into(), detail));
    if let Some(need) = tool.needs.model.iter().find(|need| !context.model.can(need)) {
        return unsupported(format!("the model cannot do `{need}`"));
    }
    if tool.stated_strict() == Some(true) && !context.model.strict {
        return unsupported("the model cannot be held to a schema".to_owned());
    }
    if wants_deferral(tool) && !context.model.deferred {
        return unsupported("the model cannot load tools on the way".to_owned());
    }
    None
}

fn blocked_by_host(block: &Block) -> Bar {
    Bar {
        is_hidden: false,
        reason: block.reason.clone(),
        detail: block.detail.clone().map(Into::into),
        policy_refs: block.policy_refs.clone(),
    }
}

/// The reasons that block a tool.
fn blocked(tool: &Tool, context: &SurfaceContext, providers: &Providers) -> Option<Bar> {
    let lifecycle = tool.definition.declaration.lifecycle;
    let bar = |reason, detail| Some(Bar::blocks(reason, detail));
    if lifecycle == ToolLifecycle::Disabled || !tool.safety.is_enabled() {
        return bar(ExclusionReason::FeatureDisabled.into(), "it is switched off");
    }
    if lifecycle == ToolLifecycle::RequiresSetup || tool.needs.setup {
        return bar(ExclusionReason::SetupRequired.into(), "it has to be set up first");
    }
    if let Some(name) = tool.credentials.iter().find(|name| !context.credentials.contains(*name)) {
        let detail = format!("the credential `{name}` is missing");
        return Some(Bar::blocks(ExclusionReason::CredentialMissing.into(), detail));
    }
    if context.sub_agent && uses(tool, ToolKind::PeerAgentTool, ExecutionKind::PeerAgent) {
        let detail = "an agent of an agent starts no further agents";
        return bar(ExclusionReason::RecursiveToolForbidden.into(), detail);
    }
    if !context.interactive && tool.needs.interaction {
        return bar(word("interaction_unavailable"), "it needs a person, and none can be asked");
    }
    if context.read_only && tool.safety.always_writes() {
        return bar(word("read_only_mode"), "nothing may be changed here");
    }
    match provider_state(tool, providers)? {
        ProviderState::Failed(why) => {
            Some(Bar::blocks(word("provider_unavailable"), why.to_string()))
        }
        ProviderState::Pending => None,
    }
}

fn is_pending(tool: &Tool, providers: &Providers) -> bool {
    provider_state(tool, providers) == Some(&ProviderState::Pending)
}

fn provider_state<'p>(tool: &Tool, providers: &'p Providers) -> Option<&'p ProviderState> {
    tool.definition.provider.as_ref().and_then(|provider| providers.state(provider))
}

fn wants_deferral(tool: &Tool) -> bool {
    let definition = &tool.definition;
    definition.declaration.lifecycle == ToolLifecycle::Deferred
        || definition.interface.schema_visibility == Some(SchemaVisibility::Deferred)
        || tool.needs.deferral
}

fn uses(tool: &Tool, kind: ToolKind, execution: ExecutionKind) -> bool {
    tool.definition.declaration.tool_kind == kind
        || tool.definition.execution.execution_kind == execution
}

/// A reason that is not in the vocabulary of the standard.
fn word(reason: &str) -> Open<ExclusionReason> {
    Open::read(reason)
}
