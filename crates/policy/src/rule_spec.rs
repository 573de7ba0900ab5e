//! Rules as people write them.

use assent_protocol::agent_tool::{Behavior, RuleSource};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::ArgumentSpec;

/// A rule. Every part that is given must match. Names are patterns ([`crate::Glob`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSpec {
    /// The id of the rule in reasons and records.
    pub id: String,
    /// The decision of the rule.
    pub behavior: Behavior,
    /// The origin of the rule.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub source: Option<RuleSource>,
    /// The tool: its id, `namespace/name`, or bare name. A bare name matches in every namespace, so give the
    /// namespace if tools of other producers may appear. A rule that denies or asks also matches the aliases
    /// of a tool.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The digest of the tool's definition: the rule is void once the tool changes.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// The native operation. A call without one does not match.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// The caller. A call without an actor does not match an `allow` rule, and matches other rules.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// Conditions on the arguments. All must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<ArgumentSpec>,
    /// Only for `ask`: no grant and no hook can answer in place of a person.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bypass_immune: bool,
    /// Calls that the rule must match. It is refused otherwise.
    #[serde(default, rename = "match", skip_serializing_if = "Vec::is_empty")]
    pub matching: Vec<Example>,
    /// Calls that the rule must not match. It is refused otherwise.
    #[serde(default, rename = "not_match", skip_serializing_if = "Vec::is_empty")]
    pub not_matching: Vec<Example>,
}

impl RuleSpec {
    /// Creates a rule that matches every call.
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

/// A call that a rule must, or must not, match. Omitted parts match the rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// A name of the tool.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The native operation.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// The caller.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// The arguments.
    pub input: Value,
}

/// Deserializes an optional field that is present. `null` is not accepted.
pub(crate) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}
