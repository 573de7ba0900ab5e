//! What repeating a failed call needs: the `retry` object of an error, which is an extension.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/errors-and-retries.md>

use serde::{Deserialize, Serialize};

use crate::wire::{Object, present};

/// The questions a caller has before it tries again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RetryGuidance {
    /// Whether repeating does no harm.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub safe: Option<bool>,
    /// Whether the same arguments would fail again.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub arguments_must_change: Option<bool>,
    /// Whether the tool has to be found and loaded first.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub discover_first: Option<bool>,
    /// Whether a person has to approve again.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub approval_again: Option<bool>,
    /// Whether another call is to blame.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub sibling_caused: Option<bool>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}
