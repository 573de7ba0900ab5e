//! What is known before the first call.

use assent_ids::{
    CallableName, ExecutionProfileId, HookId, InterfaceId, Namespace, PermissionProfileId,
    SchedulerPolicyId, SurfaceId, ToolId, UnixMillis,
};
use assent_protocol::agent_tool::{
    DeferredToolRef, ExecutionKind, HookEvent, LoadingState, QueryType, RiskLevel, ScoredMatch,
    SearchMatch, SurfaceScope, ToolDeclaration, ToolExecutionProfile, ToolHook, ToolInterface,
    ToolKind, ToolLifecycle, ToolPermissionProfile, ToolSchedulerPolicy, ToolSearchResult,
    ToolSurface,
};

use super::{BEGIN, id};
use crate::{Draft, Fact, Noted};

/// One record of every kind that is about tools, and all that a deferred tool can be.
#[must_use]
pub fn catalog() -> Vec<Draft> {
    let at = UnixMillis::new(BEGIN);
    let draft = |noted| Draft { at, invocation: None, step: 0, fact: Fact::Noted(Box::new(noted)) };
    let tool: ToolId = "fs.read_file".parse().unwrap();
    let mut notes = vec![
        Noted::Declaration(declaration(&tool)),
        Noted::Interface(ToolInterface::new("i".parse::<InterfaceId>().unwrap(), &tool)),
        Noted::ExecutionProfile(execution()),
        Noted::PermissionProfile(ToolPermissionProfile::new(
            "p".parse::<PermissionProfileId>().unwrap(),
            RiskLevel::Low,
        )),
        Noted::SchedulerPolicy(ToolSchedulerPolicy::new("s".parse::<SchedulerPolicyId>().unwrap())),
        Noted::Hook(ToolHook::new("guard".parse::<HookId>().unwrap(), HookEvent::PreToolUse)),
        Noted::Search(ToolSearchResult::new(
            "notes",
            QueryType::Keyword,
            vec![SearchMatch::Scored(ScoredMatch::new(&tool))],
        )),
        Noted::Surface(surface(0, at)),
        Noted::Surface(surface(1, at)),
    ];
    notes.extend(LoadingState::ALL.iter().map(|state| Noted::Deferred(deferred(&tool, *state))));
    notes.into_iter().map(draft).collect()
}

fn declaration(tool: &ToolId) -> ToolDeclaration {
    ToolDeclaration::new(
        tool,
        "fs".parse::<Namespace>().unwrap(),
        "read_file".parse::<CallableName>().unwrap(),
        "reads a file",
        ToolLifecycle::Available,
        ToolKind::ALL.first().copied().unwrap(),
    )
}

fn execution() -> ToolExecutionProfile {
    let kind = ExecutionKind::ALL.first().copied().unwrap();
    let mut profile = ToolExecutionProfile::new("e".parse::<ExecutionProfileId>().unwrap(), kind);
    profile.supports_progress = Some(true);
    profile.supports_cancel = Some(true);
    profile.supports_resume = Some(false);
    profile.supports_retries = Some(false);
    profile.supports_partial_results = Some(true);
    profile.supports_background = Some(false);
    profile.supports_artifacts = Some(false);
    profile.supports_context_modifiers = Some(false);
    profile.sandboxed = Some(false);
    profile
}

fn surface(number: u64, at: UnixMillis) -> ToolSurface {
    let mut surface = ToolSurface::new(id::<SurfaceId>(number), SurfaceScope::Session);
    surface.created_at = Some(at.into());
    surface.supersedes =
        number.checked_sub(1).map(|before| assent_ids::Lax::from(id::<SurfaceId>(before)).into());
    surface
}

fn deferred(tool: &ToolId, state: LoadingState) -> DeferredToolRef {
    let mut deferred =
        DeferredToolRef::new(tool, "read_file".parse::<CallableName>().unwrap(), state);
    deferred.pending_provider_or_server =
        (state == LoadingState::PendingProvider).then(|| "files".to_owned());
    deferred.reason = (state == LoadingState::Unavailable).then(|| "gone".to_owned());
    deferred
}
