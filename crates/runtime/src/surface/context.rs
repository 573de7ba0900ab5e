//! The context of a surface: the caller, its model, and what is available.

use std::collections::BTreeSet;

use assent_protocol::{
    agent_tool::{ExclusionReason, SurfaceScope},
    wire::Open,
};
use serde_json::{Value, json};

use crate::catalog::Tool;

/// Everything that determines which tools a caller gets. If it changes, so does the surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurfaceContext {
    /// The scope of the surface.
    pub scope: Open<SurfaceScope>,
    /// The producer of the surface.
    pub producer: Option<String>,
    /// The reason for making it.
    pub reason: Option<String>,
    /// The caller's role.
    pub role: Option<Role>,
    /// Whether nothing may be changed.
    pub read_only: bool,
    /// Whether a person can be asked.
    pub interactive: bool,
    /// Whether the caller is a subagent.
    pub sub_agent: bool,
    /// The capabilities of the model.
    pub model: ModelCapabilities,
    /// The credentials that can be fetched, by name.
    pub credentials: BTreeSet<String>,
    /// The features that are enabled.
    pub features: BTreeSet<String>,
    /// Whether commands may be run.
    pub shell: bool,
    /// The sandboxes that this machine has, by name.
    pub sandboxes: BTreeSet<String>,
    /// Whether there is a browser.
    pub browser_session: bool,
    /// The tools that the host excludes.
    pub blocked: Vec<Block>,
    /// The number of tools that are offered without a request; the others can be found. `None` for no limit.
    pub budget: Option<usize>,
    /// The tool that is called by default.
    pub default_tool_choice: ToolChoice,
    /// What the task needs.
    pub capability_requirements: Vec<String>,
    /// The policies that shaped it.
    pub policy_refs: Vec<String>,
    /// The runtime objects it belongs to.
    pub runtime_refs: Vec<String>,
}

impl SurfaceContext {
    /// A context without a person, a shell, a browser, features or special capabilities of the model.
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

    /// A context with a person, a shell, a browser and a capable model.
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

/// The capabilities of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelCapabilities {
    /// It can follow a schema strictly.
    pub strict: bool,
    /// It can call several tools at once.
    pub parallel: bool,
    /// It can use tools that it finds and loads during a conversation.
    pub deferred: bool,
    /// Its input modalities, for example `image`.
    pub media: BTreeSet<String>,
}

impl ModelCapabilities {
    /// Returns `true` if it has a capability. Unknown capabilities count as missing.
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

/// A role with the tools that it may use.
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

/// A tool that the host excludes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// An id, a name, an alias or `namespace/name`. If several tools match, all of them are excluded.
    pub tool: String,
    /// The reason, for programs.
    pub reason: Open<ExclusionReason>,
    /// The reason, for people.
    pub detail: Option<String>,
    /// The policies behind it.
    pub policy_refs: Vec<String>,
}

impl Block {
    /// A block without a reason for people.
    #[must_use]
    pub fn new(tool: impl Into<String>, reason: impl Into<Open<ExclusionReason>>) -> Self {
        Self { tool: tool.into(), reason: reason.into(), detail: None, policy_refs: Vec::new() }
    }
}

/// The tool that is called by default.
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
    /// Reads `auto`, `none`, `required` or `{"type": "tool", "name": …}`; `None` for anything else.
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

    /// The form of records.
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
