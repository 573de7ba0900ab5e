//! `tool_search_result`: what a search for tools found, also when it found nothing. The standard describes
//! the record and publishes no schema for it.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/deferred-loading-and-tool-search.md>

use std::borrow::Cow;

use assent_ids::{Lax, ToolId};
use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::{Record, RecordKind, SCHEMA_VERSION};
use crate::wire::{Count, Object, Open, present, words};

/// The answer to a search for tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolSearchResult {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// What was asked.
    pub query: String,
    /// How it was understood.
    pub query_type: Open<QueryType>,
    /// What was found, best first.
    pub matches: Vec<SearchMatch>,
    /// How many tools could have been found.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub total_deferred_tools: Option<Count>,
    /// Providers still connecting, whose tools are missing here.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub pending_providers: Option<Vec<String>>,
    /// Names that were selected and do not exist.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub missing_names: Option<Vec<String>>,
    /// What the caller should do next.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub next_action: Option<String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolSearchResult {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(
        query: impl Into<String>,
        query_type: impl Into<Open<QueryType>>,
        matches: Vec<SearchMatch>,
    ) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            query: query.into(),
            query_type: query_type.into(),
            matches,
            total_deferred_tools: None,
            pending_providers: None,
            missing_names: None,
            next_action: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolSearchResult {
    const KIND: RecordKind = RecordKind::ToolSearchResult;
}

words! {
    /// How a query was understood.
    QueryType {
        /// Names, after `select:`.
        Select = "select",
        /// Words to rank by.
        Keyword = "keyword",
    }
}

/// One tool that was found. Other producers may write the bare id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SearchMatch {
    /// With its score and why it has it.
    Scored(ScoredMatch),
    /// Only the id.
    Id(Lax<ToolId>),
}

impl SearchMatch {
    /// The tool.
    #[must_use]
    pub fn tool_id(&self) -> &Lax<ToolId> {
        match self {
            Self::Scored(scored) => &scored.tool_id,
            Self::Id(tool_id) => tool_id,
        }
    }
}

/// A tool that was found, with its score and why it has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ScoredMatch {
    /// The tool.
    pub tool_id: Lax<ToolId>,
    /// Its score; larger is better.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub score: Option<Number>,
    /// What matched.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<String>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ScoredMatch {
    /// A match without a score.
    #[must_use]
    pub fn new(tool_id: impl Into<Lax<ToolId>>) -> Self {
        Self { tool_id: tool_id.into(), score: None, reasons: None, extra: Object::new() }
    }
}
