//! What a decision was about.

use std::sync::Arc;

use assent_ids::{CallableName, HookId};
use assent_json::Json;
use assent_protocol::agent_tool::Behavior;
use serde::{Deserialize, Serialize};

/// What rules could ask about a call when it was decided, beside what [`super::Planned`] and
/// [`super::Selected`] tell: enough to put the same question to other rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallFacts {
    /// Where the tool's name is unique.
    pub namespace: Arc<str>,
    /// Its name there.
    pub name: Arc<str>,
    /// Its older names there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<CallableName>,
    /// The native operation, for tools that have several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Arc<str>>,
    /// It changes nothing.
    pub read_only: bool,
    /// What it changes may be lost.
    pub destructive: bool,
    /// It reaches beyond what is known in advance.
    pub open_world: bool,
    /// The tool wants a person to agree.
    pub requires_approval: bool,
    /// The arguments, with sensitive values replaced; nothing if they are what the model wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Json>,
    /// Whether values were replaced: nobody can tell what a rule makes of these.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_hidden_values: bool,
    /// What hooks thought.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opinions: Vec<OpinionNote>,
}

/// What a hook thought of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpinionNote {
    /// The hook.
    pub hook: HookId,
    /// What it said.
    pub behavior: Behavior,
    /// Its words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether its `allow` settles a question.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub authoritative: bool,
}
