//! The facts of a call on which a decision is based.

use std::sync::Arc;

use assent_ids::{CallableName, HookId};
use assent_json::Json;
use assent_protocol::agent_tool::Behavior;
use serde::{Deserialize, Serialize};

/// The facts of a call that rules can test, besides [`super::Planned`] and [`super::Selected`]: enough to decide the
/// same question under other rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallFacts {
    /// The namespace of the tool.
    pub namespace: Arc<str>,
    /// The name of the tool.
    pub name: Arc<str>,
    /// The aliases of the tool.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<CallableName>,
    /// The native operation, for tools that have several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Arc<str>>,
    /// Whether it changes nothing.
    pub read_only: bool,
    /// Whether it may destroy something.
    pub destructive: bool,
    /// Whether it reaches beyond a closed set of resources.
    pub open_world: bool,
    /// Whether the tool requires an approval.
    pub requires_approval: bool,
    /// The arguments with sensitive values replaced; `None` if they are the model's input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Json>,
    /// Whether values were replaced, so that rules about them cannot be evaluated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_hidden_values: bool,
    /// The opinions of hooks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opinions: Vec<OpinionNote>,
}

/// The opinion of a hook about a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpinionNote {
    /// The hook.
    pub hook: HookId,
    /// The decision that it argued for.
    pub behavior: Behavior,
    /// Its reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether its `allow` may settle an `ask`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub authoritative: bool,
}
