//! What a surface is made for: who calls, with which model, from where, and what is switched on.

use std::collections::BTreeSet;

use assent_protocol::{
    agent_tool::{ExclusionReason, SurfaceScope},
    wire::Open,
};
use serde_json::{Value, json};

use crate::catalog::Tool;

/// Everything that decides which tools a caller gets. If any of it changes, so does the surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurfaceContext {
    /// What the surface is for.
    pub scope: Open<SurfaceScope>,
    /// Who makes it.
    pub producer: Option<String>,
    /// Why it is made.
    pub reason: Option<String>,
    /// The caller's role.
    pub role: Option<Role>,
    /// Nothing may be changed.
    pub read_only: bool,
    /// A person can be asked.
    pub interactive: bool,
    /// The caller is an agent of an agent.
    pub sub_agent: bool,
    /// What the model can do.
    pub model: ModelCapabilities,
    /// The credentials that can be fetched, by name.
    pub credentials: BTreeSet<String>,
    /// The features that are switched on.
    pub features: BTreeSet<String>,
    /// Commands may be run.
    pub shell: bool,
    /// The sandboxes that this machine has, by name.
    pub sandboxes: BTreeSet<String>,
    /// There is a browser to act in.
    pub browser_session: bool,
    /// Tools that the host bars.
    pub blocked: Vec<Block>,
    /// So many tools are offered unasked; the others can be found. None for all of them.
    pub budget: Option<usize>,
    /// Which tool is called if nothing speaks for another.
    pub default_tool_choice: ToolChoice,
    /// What the task needs.
    pub capability_requirements: Vec<String>,
    /// The policies that shaped it.
    pub policy_refs: Vec<String>,
    /// The runtime objects it belongs to.
    pub runtime_refs: Vec<String>,
}

impl SurfaceContext {
    /// A context in which nothing is assumed to be there: no person, no shell, no browser, no feature,
    /// a model that can do nothing special.
    #[must_use]
    pub fn new(scope: impl Into<Open<SurfaceScope>>) -> Self {
        Self {
            scope: scope.into(),
            producer: None,
            reason: None,
            role: None,
            read_only: false,
            interactive: false,
            sub_agent: false,
            model: ModelCapabilities::default(),
            credentials: BTreeSet::new(),
            features: BTreeSet::new(),
            shell: false,
            sandboxes: BTreeSet::new(),
            browser_session: false,
            blocked: Vec::new(),
            budget: None,
            default_tool_choice: ToolChoice::Auto,
            capability_requirements: Vec::new(),
            policy_refs: Vec::new(),
            runtime_refs: Vec::new(),
        }
    }

    /// A context in which a person, a shell, a browser and a capable model are there.
    #[must_use]
    pub fn equipped(scope: impl Into<Open<SurfaceScope>>) -> Self {
        let model = ModelCapabilities {
            strict: true,
            parallel: true,
            deferred: true,
            ..Default::default()
        };
        Self { interactive: true, model, shell: true, browser_session: true, ..Self::new(scope) }
    }
}

/// What a model can do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelCapabilities {
    /// Be held to a schema.
    pub strict: bool,
    /// Call several tools at once.
    pub parallel: bool,
    /// Use tools that it finds and loads on the way.
    pub deferred: bool,
    /// See or hear, for instance `image`.
    pub media: BTreeSet<String>,
}

impl ModelCapabilities {
    /// Whether it can do what a tool asks for. What nobody has heard of it cannot do.
    #[must_use]
    pub fn can(&self, requirement: &str) -> bool {
        match requirement {
            "strict" | "strict_schemas" => self.strict,
            "parallel" | "parallel_calls" => self.parallel,
            "deferred" | "deferred_refs" => self.deferred,
            "media" => !self.media.is_empty(),
            media => self.media.contains(media),
        }
    }

    pub(super) fn to_value(&self) -> Value {
        json!({
            "strict_schemas": self.strict,
            "parallel_calls": self.parallel,
            "deferred_refs": self.deferred,
            "media": self.media,
        })
    }
}

/// A role, and what it may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Role {
    /// Its name.
    pub name: String,
    /// Tool ids, `namespace/name`, or whole namespaces as `namespace/`. None for everything.
    pub may_use: Option<BTreeSet<String>>,
}

impl Role {
    pub(super) fn allows(&self, tool: &Tool) -> bool {
        self.may_use.as_ref().is_none_or(|allowed| {
            allowed.contains(tool.id.as_str())
                || allowed.contains(&tool.qualified_name())
                || allowed.contains(&format!("{}/", tool.namespace))
        })
    }
}

/// A tool that the host bars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// An id, a name, an alias or `namespace/name`. If it fits several tools, all of them are barred.
    pub tool: String,
    /// Why, for programs.
    pub reason: Open<ExclusionReason>,
    /// Why, for people.
    pub detail: Option<String>,
    /// The policies behind it.
    pub policy_refs: Vec<String>,
}

impl Block {
    /// A block without words for people.
    #[must_use]
    pub fn new(tool: impl Into<String>, reason: impl Into<Open<ExclusionReason>>) -> Self {
        Self { tool: tool.into(), reason: reason.into(), detail: None, policy_refs: Vec::new() }
    }
}

/// Which tool is called if nothing speaks for another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// The model decides whether and which.
    #[default]
    Auto,
    /// None.
    None,
    /// The model decides which.
    Required,
    /// This one: a name, an alias or `namespace/name`.
    Tool(String),
}

impl ToolChoice {
    /// Reads `auto`, `none`, `required` or `{"type": "tool", "name": …}`; none for anything else.
    #[must_use]
    pub fn read(value: &Value) -> Option<Self> {
        match value {
            Value::String(word) => match word.as_str() {
                "auto" => Some(Self::Auto),
                "none" => Some(Self::None),
                "required" => Some(Self::Required),
                _ => None,
            },
            Value::Object(choice) => {
                let is_tool = choice.get("type").is_none_or(|kind| kind == "tool");
                let name = choice.get("name").and_then(Value::as_str)?;
                is_tool.then(|| Self::Tool(name.to_owned()))
            }
            _ => None,
        }
    }

    /// As records write it.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self {
            Self::Auto => "auto".into(),
            Self::None => "none".into(),
            Self::Required => "required".into(),
            Self::Tool(name) => json!({"type": "tool", "name": name}),
        }
    }
}
