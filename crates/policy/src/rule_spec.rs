//! A rule as people write it.

use assent_protocol::agent_tool::{Behavior, RuleSource};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::ArgumentSpec;

/// A rule: whatever it names must fit for the rule to match. Names are patterns ([`crate::Glob`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSpec {
    /// Its name in reasons and records.
    pub id: String,
    /// What it decides.
    pub behavior: Behavior,
    /// Where it comes from.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub source: Option<RuleSource>,
    /// The tool: its id, `namespace/name`, or bare name. A bare name means every namespace, so name
    /// the namespace where tools of strangers may appear. A rule that denies or asks also speaks of tools
    /// that have the name as an alias.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The digest of the tool's definition: the rule is void once the tool changes.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// The native operation. A call without one does not match.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Who calls. A call without an actor does not match an `allow`, and matches the others.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// What must hold of the arguments, all of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<ArgumentSpec>,
    /// Only for `ask`: no grant and no hook spares the question.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bypass_immune: bool,
    /// Calls that the rule must match; it is refused otherwise.
    #[serde(default, rename = "match", skip_serializing_if = "Vec::is_empty")]
    pub matching: Vec<Example>,
    /// Calls that the rule must not match; it is refused otherwise.
    #[serde(default, rename = "not_match", skip_serializing_if = "Vec::is_empty")]
    pub not_matching: Vec<Example>,
}

impl RuleSpec {
    /// A rule that matches every call.
    #[must_use]
    pub fn new(id: impl Into<String>, behavior: Behavior) -> Self {
        Self {
            id: id.into(),
            behavior,
            source: None,
            tool: None,
            definition: None,
            operation: None,
            actor: None,
            arguments: Vec::new(),
            bypass_immune: false,
            matching: Vec::new(),
            not_matching: Vec::new(),
        }
    }
}

/// A call that a rule must, or must not, match. What an example leaves out fits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// A name of the tool.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The native operation.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Who calls.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// The arguments.
    pub input: Value,
}

/// Reads an optional field that is there: `null` is not a way to leave it out.
pub(crate) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}
