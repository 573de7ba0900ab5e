//! What the catalog knows of an agent.

use assent_ids::{AgentId, ScopeId, ToolName, UserId};
use serde::Deserialize;

/// An agent that can be found.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) agent_id: AgentId,
    pub(crate) owner: UserId,
    pub(crate) tools: Vec<ToolName>,
    pub(crate) scopes: Vec<ScopeId>,
    pub(super) key: u32,
}

/// An agent in the words under which it is found.
pub(super) struct Described {
    owner: UserId,
    pub(super) name: String,
    /// What it is for, in its owner's words and in those of its manifest.
    pub(super) description: String,
    /// What its tools and scopes are called.
    pub(super) hint: String,
    tools: Vec<ToolName>,
    scopes: Vec<ScopeId>,
}

impl Described {
    pub(super) fn new(
        owner: UserId,
        name: String,
        description: Option<&str>,
        manifest: Option<&str>,
    ) -> Self {
        let manifest: Texts =
            manifest.and_then(|canonical| serde_json::from_str(canonical).ok()).unwrap_or_default();
        let names = manifest.tools.iter().map(|tool| tool.name.as_str());
        let ids = manifest.permission_scopes.iter().map(|scope| scope.id.as_str());
        let hint = names.chain(ids).collect::<Vec<_>>().join("\n");
        // Names again at the end: more are read of a description than of a hint.
        let texts = manifest.texts().chain([hint.as_str()]);
        let description = description.into_iter().chain(texts);
        Self {
            owner,
            name,
            description: description.collect::<Vec<_>>().join("\n"),
            tools: manifest.tools.iter().filter_map(|tool| tool.name.parse().ok()).collect(),
            scopes: manifest
                .permission_scopes
                .iter()
                .filter_map(|scope| scope.id.parse().ok())
                .collect(),
            hint,
        }
    }

    pub(super) fn entry(self, agent_id: AgentId, key: u32) -> Entry {
        Entry { agent_id, owner: self.owner, tools: self.tools, scopes: self.scopes, key }
    }
}

/// The parts of a manifest that people read.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Texts {
    tools: Vec<Tool>,
    permission_scopes: Vec<Scope>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Tool {
    name: String,
    description_fallback: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Scope {
    id: String,
    label_fallback: String,
    description_fallback: String,
}

impl Texts {
    fn texts(&self) -> impl Iterator<Item = &str> {
        let tools = self.tools.iter().map(|tool| tool.description_fallback.as_str());
        let labels = self.permission_scopes.iter().map(|scope| scope.label_fallback.as_str());
        let scopes = self.permission_scopes.iter().map(|scope| scope.description_fallback.as_str());
        tools.chain(labels).chain(scopes).filter(|text| !text.is_empty())
    }
}
