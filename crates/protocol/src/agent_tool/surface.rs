//! `tool_surface`: the tools that are offered in one context. A surface is never changed, only superseded.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/tool-surface.md>

use std::borrow::Cow;

use assent_ids::{Lax, SurfaceId, ToolId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Record, RecordKind, SCHEMA_VERSION, SurfaceEntry, SurfaceExclusion};
use crate::wire::{Loose, Object, Open, Timestamp, present, words};

/// Which tools are loaded, deferred or barred, where, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolSurface {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// Which surface this is.
    pub surface_id: Lax<SurfaceId>,
    /// What it is for.
    pub scope: Open<SurfaceScope>,
    /// When it was made.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    /// Who made it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub producer: Option<String>,
    /// All tools it names.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub tool_refs: Option<Vec<Lax<ToolId>>>,
    /// The tools whose schema a model can see.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub loaded_tools: Option<Vec<SurfaceEntry>>,
    /// The tools that have to be loaded first.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub deferred_tools: Option<Vec<SurfaceEntry>>,
    /// The blocked tools; callers get the reason.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub blocked_tools: Option<Vec<Loose<SurfaceExclusion>>>,
    /// The tools that were filtered out; only the audit contains the reason.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub excluded_tools: Option<Vec<Loose<SurfaceExclusion>>>,
    /// How the tools were selected.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub selection_policy: Option<Object>,
    /// `auto`, `none`, `required`, or a tool; any JSON.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub default_tool_choice: Option<Value>,
    /// What the task needs.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub capability_requirements: Option<Vec<String>>,
    /// What the model can do.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub model_capabilities: Option<Object>,
    /// What the role may do.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub role_constraints: Option<Object>,
    /// Why it was made.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub surface_reason: Option<String>,
    /// The policies that shaped it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub policy_refs: Option<Vec<String>>,
    /// The runtime objects it belongs to.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub runtime_refs: Option<Vec<String>>,
    /// Extension: the surface it replaces.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<Loose<Lax<SurfaceId>, Value>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolSurface {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        surface_id: impl Into<Lax<SurfaceId>>,
        scope: impl Into<Open<SurfaceScope>>,
    ) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            surface_id: surface_id.into(),
            scope: scope.into(),
            created_at: None,
            producer: None,
            tool_refs: None,
            loaded_tools: None,
            deferred_tools: None,
            blocked_tools: None,
            excluded_tools: None,
            selection_policy: None,
            default_tool_choice: None,
            capability_requirements: None,
            model_capabilities: None,
            role_constraints: None,
            surface_reason: None,
            policy_refs: None,
            runtime_refs: None,
            supersedes: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolSurface {
    const KIND: RecordKind = RecordKind::ToolSurface;
}

words! {
    /// What a surface is for.
    SurfaceScope {
        /// One turn of a conversation.
        Turn = "turn",
        /// One task.
        Task = "task",
        /// One session.
        Session = "session",
        /// One tenant.
        Tenant = "tenant",
        /// One skill.
        Skill = "skill",
        /// One peer agent.
        PeerAgent = "peer_agent",
        /// One workspace.
        Workspace = "workspace",
        /// One role.
        Role = "role",
        /// One request to a model.
        ModelRequest = "model_request",
    }
}
