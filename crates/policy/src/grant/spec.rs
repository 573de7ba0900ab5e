//! Grants in the form that is stored.

use assent_ids::UnixMillis;
use assent_json::Digest;
use assent_protocol::agent_tool::RuleSource;
use serde::{Deserialize, Serialize};

use super::{ArgumentShape, GrantKey, text};
use crate::{Question, rule_spec::present};

/// A grant in the form that is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantSpec {
    /// The id of the grant.
    pub id: GrantKey,
    /// The effect of the grant.
    pub effect: GrantEffect,
    /// The tools that the grant covers.
    pub tool: GrantTool,
    /// The digest of the tool's definition. The grant is void for any other definition.
    #[serde(default, with = "text::digest", skip_serializing_if = "Option::is_none")]
    pub definition: Option<Digest>,
    /// The arguments that the grant covers.
    #[serde(default)]
    pub arguments: ArgumentShape,
    /// The actor that may use the grant.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// The session in which the grant is valid.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The time from which the grant is valid.
    #[serde(default, with = "text::millis", skip_serializing_if = "Option::is_none")]
    pub not_before: Option<UnixMillis>,
    /// The time at which the grant expires.
    #[serde(default, with = "text::millis", skip_serializing_if = "Option::is_none")]
    pub not_after: Option<UnixMillis>,
    /// The number of times that the grant may be used.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub uses: Option<u32>,
    /// The origin of the grant.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub source: Option<RuleSource>,
    /// The time at which the grant was given.
    #[serde(default, with = "text::millis", skip_serializing_if = "Option::is_none")]
    pub granted_at: Option<UnixMillis>,
    /// The restrictions that narrowed the grant, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restrictions: Vec<Restriction>,
}

/// The actor in a grant that is only for calls without an actor.
pub(super) const NOBODY: &str = "";

impl GrantSpec {
    /// Creates a grant for every call of one tool, without expiry.
    #[must_use]
    pub fn new(id: GrantKey, effect: GrantEffect, tool: GrantTool) -> Self {
        Self {
            id,
            effect,
            tool,
            definition: None,
            arguments: ArgumentShape::Any,
            actor: None,
            session: None,
            not_before: None,
            not_after: None,
            uses: None,
            source: None,
            granted_at: None,
            restrictions: Vec::new(),
        }
    }

    /// Creates the grant for an answer to `question`, bound to the tool and its definition, to the caller and
    /// the session, and to exactly these arguments. For a call without an actor, the grant covers only calls
    /// without an actor.
    #[must_use]
    pub fn remember(id: GrantKey, effect: GrantEffect, question: &Question<'_>) -> Self {
        Self {
            definition: Some(question.definition),
            arguments: ArgumentShape::exact(question.input),
            actor: Some(question.actor.unwrap_or(NOBODY).to_owned()),
            session: Some(question.session.unwrap_or(NOBODY).to_owned()),
            source: Some(RuleSource::Session),
            granted_at: Some(question.now),
            ..Self::new(id, effect, GrantTool::Id(question.tool_id.to_owned()))
        }
    }
}

/// The effect of a grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantEffect {
    /// Calls that a person would be asked about may run.
    Allow,
    /// Calls must not run.
    Deny,
}

/// The tools that a grant covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantTool {
    /// The tool with this id.
    Id(String),
    /// The tools whose ids match this pattern.
    Glob(String),
}

/// A restriction that narrows a grant. Omitted parts are not narrowed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restriction {
    /// The id of the grant that results.
    pub id: GrantKey,
    /// Covers only these tools.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub tool: Option<GrantTool>,
    /// Covers only this definition.
    #[serde(default, with = "text::digest", skip_serializing_if = "Option::is_none")]
    pub definition: Option<Digest>,
    /// Covers only these arguments.
    #[serde(default)]
    pub arguments: ArgumentShape,
    /// Covers only this actor.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// Covers only this session.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Valid from this time.
    #[serde(default, with = "text::millis", skip_serializing_if = "Option::is_none")]
    pub not_before: Option<UnixMillis>,
    /// Expires at this time.
    #[serde(default, with = "text::millis", skip_serializing_if = "Option::is_none")]
    pub not_after: Option<UnixMillis>,
    /// May be used at most this often.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub uses: Option<u32>,
}

impl Restriction {
    /// Creates a restriction that narrows nothing.
    #[must_use]
    pub fn new(id: GrantKey) -> Self {
        Self {
            id,
            tool: None,
            definition: None,
            arguments: ArgumentShape::Any,
            actor: None,
            session: None,
            not_before: None,
            not_after: None,
            uses: None,
        }
    }
}
