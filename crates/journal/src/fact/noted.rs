//! Records about tools rather than calls. They are rare, so they are stored in the form of the standard.

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
    /// A tool was registered.
    Declaration(ToolDeclaration),
    /// The interface of a tool.
    Interface(ToolInterface),
    /// The execution profile of a tool.
    ExecutionProfile(ToolExecutionProfile),
    /// The permission profile of a tool.
    PermissionProfile(ToolPermissionProfile),
    /// A surface was made.
    Surface(ToolSurface),
    /// A tool was found or loaded.
    Deferred(DeferredToolRef),
    /// A search for tools.
    Search(ToolSearchResult),
    /// A scheduler policy.
    SchedulerPolicy(ToolSchedulerPolicy),
    /// A hook was registered.
    Hook(ToolHook),
}
