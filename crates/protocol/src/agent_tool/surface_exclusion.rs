//! Why a tool is not on offer: an item of `blocked_tools` or `excluded_tools`.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/tool-surface.md>

use assent_ids::{Lax, ToolId};
use serde::{Deserialize, Serialize};

use crate::wire::{Object, Open, present, words};

/// A tool that is kept from the caller, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SurfaceExclusion {
    /// The tool.
    pub tool_id: Lax<ToolId>,
    /// Why, for programs.
    pub reason: Open<ExclusionReason>,
    /// Why, for people.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The policies behind it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub policy_refs: Option<Vec<String>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl SurfaceExclusion {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(tool_id: impl Into<Lax<ToolId>>, reason: impl Into<Open<ExclusionReason>>) -> Self {
        Self {
            tool_id: tool_id.into(),
            reason: reason.into(),
            detail: None,
            policy_refs: None,
            extra: Object::new(),
        }
    }
}

words! {
    /// Why a tool is not on offer.
    ExclusionReason {
        /// A policy forbids it.
        PolicyBlocked = "policy_blocked",
        /// A credential is missing.
        CredentialMissing = "credential_missing",
        /// It is not set up.
        SetupRequired = "setup_required",
        /// The model cannot use it.
        ModelUnsupported = "model_unsupported",
        /// An agent tool within an agent.
        RecursiveToolForbidden = "recursive_tool_forbidden",
        /// The role may not use it.
        RoleNotAllowed = "role_not_allowed",
        /// A feature is switched off.
        FeatureDisabled = "feature_disabled",
        /// It has to be found first.
        DeferredUntilDiscovered = "deferred_until_discovered",
    }
}
