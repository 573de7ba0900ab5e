//! What an agent can do besides calling tools.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::{Object, present};

/// Abilities an agent announces; what is absent is not announced.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = crate::wire::never_null)]
#[non_exhaustive]
pub struct CapabilityFlags {
    /// It streams its answers.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub supports_streaming: Option<bool>,
    /// It sends and updates artifacts.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub supports_artifacts: Option<bool>,
    /// It hears and speaks.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub supports_voice: Option<bool>,
    /// It joins group conversations. That does not let it call tools there.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub supports_group_chat: Option<bool>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}
