//! Records about tools rather than calls. They are rare, so they are kept as the standard writes them.

use assent_protocol::agent_tool::{
    DeferredToolRef, ToolDeclaration, ToolExecutionProfile, ToolHook, ToolInterface,
    ToolPermissionProfile, ToolSchedulerPolicy, ToolSearchResult, ToolSurface,
};
use serde::{Deserialize, Serialize};

/// A record of the standard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::large_enum_variant,
    reason = "it is always behind the box of `Fact::Noted`, one at a time"
)]
pub enum Noted {
    /// A tool became known.
    Declaration(ToolDeclaration),
    /// How its runtime behaves.
    Interface(ToolInterface),
    /// How it is executed.
    ExecutionProfile(ToolExecutionProfile),
    /// What it touches.
    PermissionProfile(ToolPermissionProfile),
    /// A surface was made.
    Surface(ToolSurface),
    /// A tool was found or loaded.
    Deferred(DeferredToolRef),
    /// Somebody searched.
    Search(ToolSearchResult),
    /// How calls are scheduled.
    SchedulerPolicy(ToolSchedulerPolicy),
    /// A hook was registered.
    Hook(ToolHook),
}
