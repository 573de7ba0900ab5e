//! A grant as it is written down.

use assent_ids::UnixMillis;
use assent_json::Digest;
use assent_protocol::agent_tool::RuleSource;
use serde::{Deserialize, Serialize};

use super::{ArgumentShape, GrantKey, text};
use crate::{Question, rule_spec::present};

/// A grant as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantSpec {
    /// Which grant this is.
    pub id: GrantKey,
    /// What it does.
    pub effect: GrantEffect,
    /// The tools that it is about.
    pub tool: GrantTool,
    /// The digest of the tool's definition: the grant is void for any other.
    #[serde(default, with = "text::digest", skip_serializing_if = "Option::is_none")]
    pub definition: Option<Digest>,
    /// The arguments that it is about.
    #[serde(default)]
    pub arguments: ArgumentShape,
    /// Who may use it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// In which session.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The first moment at which it is in force.
    #[serde(default, with = "text::millis", skip_serializing_if = "Option::is_none")]
    pub not_before: Option<UnixMillis>,
    /// The first moment at which it no longer is.
    #[serde(default, with = "text::millis", skip_serializing_if = "Option::is_none")]
    pub not_after: Option<UnixMillis>,
    /// How often it may be used.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub uses: Option<u32>,
    /// Where it comes from.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub source: Option<RuleSource>,
    /// When it was given.
    #[serde(default, with = "text::millis", skip_serializing_if = "Option::is_none")]
    pub granted_at: Option<UnixMillis>,
    /// What those who handed it on have taken away, the first of them first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restrictions: Vec<Restriction>,
}

/// The name of whoever does not say who they are, where a grant is for exactly them.
pub(super) const NOBODY: &str = "";

impl GrantSpec {
    /// A grant for every call of one tool, without an end.
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

    /// The grant that an answer to `question` leaves behind: tied to the tool and its definition, to
    /// who asked and in which session, and to these very arguments. An answer to somebody who did not say who they
    /// are is nobody else's.
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

/// What a grant does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantEffect {
    /// What would be asked may run.
    Allow,
    /// It must not run.
    Deny,
}

/// The tools that a grant is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantTool {
    /// The tool with this id.
    Id(String),
    /// The tools whose ids match this pattern.
    Glob(String),
}

/// What is taken away from a grant when it is handed on. What it leaves out stays as it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restriction {
    /// The id of the grant that results.
    pub id: GrantKey,
    /// Only these tools.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub tool: Option<GrantTool>,
    /// Only this definition.
    #[serde(default, with = "text::digest", skip_serializing_if = "Option::is_none")]
    pub definition: Option<Digest>,
    /// Only these arguments.
    #[serde(default)]
    pub arguments: ArgumentShape,
    /// Only this actor.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// Only this session.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Not before.
    #[serde(default, with = "text::millis", skip_serializing_if = "Option::is_none")]
    pub not_before: Option<UnixMillis>,
    /// Not from then on.
    #[serde(default, with = "text::millis", skip_serializing_if = "Option::is_none")]
    pub not_after: Option<UnixMillis>,
    /// At most so often.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub uses: Option<u32>,
}

impl Restriction {
    /// Takes nothing away.
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
