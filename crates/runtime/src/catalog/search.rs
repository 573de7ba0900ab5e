//! Finding tools: by name, as `select:NAME[,NAME]`, or by words. Only tools of the caller's surface are found. A
//! search without matches has a result of the same form.

use assent_ids::Lax;
use assent_protocol::{
    agent_tool::{
        LoadingState, QueryType, ScoredMatch, SearchMatch, ToolLifecycle, ToolSearchResult,
    },
    wire::Count,
};
use assent_search::{Hit, MAX_QUERY_BYTES, Reason, ToolText};
use serde_json::{Number, Value, json};

use super::{Catalog, Key, Tool};
use crate::surface::{Resolution, Surface};

/// The maximum number of matches.
pub const MAX_MATCHES: usize = 100;

/// The prefix of a query for tools by name.
pub const SELECT: &str = "select:";

/// Adds the texts of a tool to the index. Tools that must not be found have no texts.
pub(super) fn put(texts: &mut assent_search::Index, key: Key, tool: &Tool) {
    let declaration = &tool.definition.declaration;
    match declaration.lifecycle {
        ToolLifecycle::Draft | ToolLifecycle::Retired => {
            texts.remove(key.0);
        }
        ToolLifecycle::Available
        | ToolLifecycle::Disabled
        | ToolLifecycle::RequiresSetup
        | ToolLifecycle::Deferred
        | ToolLifecycle::Deprecated => texts.insert(
            key.0,
            &ToolText {
                name: tool.name.as_str(),
                namespace: tool.namespace.as_str(),
                title: declaration.title.as_deref().unwrap_or_default(),
                description: &declaration.description,
                hint: tool.search_hint().unwrap_or_default(),
            },
        ),
    }
}

impl Catalog {
    /// Searches the tools of `surface`. It loads nothing, see [`Surface::load`].
    #[must_use]
    pub fn search(&self, surface: &Surface, query: &str, limit: usize) -> ToolSearchResult {
        let query = beginning(query, MAX_QUERY_BYTES);
        let limit = limit.min(MAX_MATCHES);
        let mut result = match query.trim_start().strip_prefix(SELECT) {
            Some(names) => select(surface, query, names, limit),
            None => self.by_words(surface, query, limit),
        };
        let total = u64::try_from(surface.deferred_count()).unwrap_or(u64::MAX);
        result.total_deferred_tools = Some(Count(total));
        let pending: Vec<_> = self.pending_providers().map(ToString::to_string).collect();
        result.next_action = Some(next_action(&result, &pending));
        result.pending_providers = Some(pending);
        result
    }

    fn by_words(&self, surface: &Surface, query: &str, limit: usize) -> ToolSearchResult {
        let hits = self.texts.search_among(query, limit, |key| surface.offers(Key(key)));
        let matches = hits.into_iter().filter_map(|hit| {
            let tool = surface.tool(Key(hit.key))?;
            let state = surface.loading_state(&tool.id)?;
            Some(found(tool, state, f64::from(hit.score), reasons(&hit)))
        });
        let matches = matches.collect();
        let mut result = ToolSearchResult::new(query, QueryType::Keyword, matches);
        result.missing_names = Some(Vec::new());
        result
    }
}

/// Exactly the tools of these names, in the order of the names.
fn select(surface: &Surface, query: &str, names: &str, limit: usize) -> ToolSearchResult {
    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty()).take(limit);
    let (mut matches, mut missing) = (Vec::new(), Vec::new());
    let (mut blocked, mut ambiguous) = (Vec::new(), Vec::new());
    for name in names {
        match surface.resolve(name) {
            Resolution::Loaded(tool) | Resolution::Deferred(tool) => {
                let state = surface.loading_state(&tool.id).unwrap_or(LoadingState::Unavailable);
                matches.push(found(&tool, state, 1.0, vec![exact(&tool, name).to_owned()]));
            }
            Resolution::Blocked { tool, reason, .. } => {
                blocked.push(json!({"name": name, "tool_id": tool.id.as_str(), "reason": reason}));
                missing.push(name.to_owned());
            }
            Resolution::Ambiguous(candidates) => {
                ambiguous.push(json!({"name": name, "candidates": candidates}));
                missing.push(name.to_owned());
            }
            Resolution::NotSurfaced(_) | Resolution::Unknown => missing.push(name.to_owned()),
        }
    }
    let mut result = ToolSearchResult::new(query, QueryType::Select, matches);
    result.missing_names = Some(missing);
    for (field, entries) in [("blocked_names", blocked), ("ambiguous_names", ambiguous)] {
        if !entries.is_empty() {
            result.extra.insert(field.to_owned(), Value::Array(entries));
        }
    }
    result
}

fn exact(tool: &Tool, name: &str) -> &'static str {
    if tool.name.as_str() == name {
        "name"
    } else if tool.aliases.iter().any(|alias| alias.as_str() == name) {
        "alias"
    } else {
        "qualified_name"
    }
}

/// The words of the query that were found, each with its field.
fn reasons(hit: &Hit) -> Vec<String> {
    let word = |reason: &Reason| format!("{}:{}", reason.field.as_str(), reason.term);
    hit.reasons.iter().map(word).collect()
}

/// A match with what a caller needs to select it.
fn found(tool: &Tool, state: LoadingState, score: f64, reasons: Vec<String>) -> SearchMatch {
    let mut found = ScoredMatch::new(Lax::from(&*tool.id));
    found.score = Number::from_f64(score);
    found.reasons = Some(reasons);
    for (field, value) in [
        ("name", tool.name.as_str()),
        ("namespace", tool.namespace.as_str()),
        ("loading_state", state.as_str()),
    ] {
        found.extra.insert(field.to_owned(), value.into());
    }
    SearchMatch::Scored(found)
}

fn next_action(result: &ToolSearchResult, pending: &[String]) -> String {
    if result.extra.contains_key("ambiguous_names") {
        return "select one of the candidates by its `namespace/name`".to_owned();
    }
    if !result.matches.is_empty() {
        return match result.query_type.known() {
            Some(QueryType::Select) => "load the selected tools, then call them".to_owned(),
            _ => format!("load what fits with `{SELECT}NAME[,NAME]`, then call it"),
        };
    }
    if pending.is_empty() {
        "search again with other words, or go on without a tool".to_owned()
    } else {
        format!("search again when {} can be reached", pending.join(", "))
    }
}

/// The first `bytes` of a text, cut between characters.
fn beginning(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or_default()
}
